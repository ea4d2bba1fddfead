/** The placeholder page of an area that isn't available yet. */
import { useRouterState } from '@tanstack/react-router'
import { Badge } from '#ui/badge.tsx'
import { Guilloche } from '#ui/guilloche.tsx'
import { PageHeader } from '#ui/layout.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { Page } from '../frames/page.tsx'
import { areas } from '../shell/areas.ts'
import { NotFoundPage } from './not-found.tsx'

export function ComingPage() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const area = areas.find(({ to }) => to === path)
  if (!area?.coming) return <NotFoundPage />
  return (
    <Page>
      <PageTitle>{area.label}</PageTitle>
      <PageHeader title={area.label} hint={area.purpose} />
      <section
        aria-label="Planned features"
        className="relative overflow-hidden rounded-panel border bg-surface px-6 py-14 sm:px-12"
      >
        <Guilloche
          shape="rosette"
          className="absolute -top-28 -right-44 size-[36rem] text-rule opacity-60 max-sm:hidden"
        />
        <div className="relative max-w-md">
          <Badge tone="seal">Coming soon</Badge>
          <p className="mt-4 text-soft">We’re still building this area. It will include:</p>
          <ul className="mt-4 flex flex-col gap-2">
            {area.coming.plans.map((plan) => (
              <li key={plan} className="flex gap-3">
                <span aria-hidden className="mt-2.5 h-px w-4 shrink-0 bg-rule" />
                {plan}
              </li>
            ))}
          </ul>
        </div>
      </section>
    </Page>
  )
}
