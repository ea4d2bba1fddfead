/** Events that could not be delivered, for people who may handle them. */
import { getRouteApi } from '@tanstack/react-router'
import { DeadLettersPanel } from '#features/events/dead-letters-panel.tsx'
import { PageHeader } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { Page } from '../../frames/page.tsx'
import { eventLinks } from '../../links.ts'
import { AreaTabs } from './area-tabs.tsx'

const route = getRouteApi('/shell/events/dead-letters')

export function DeadLettersPage() {
  const { page } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page isWide>
      <PageTitle>Dead letters</PageTitle>
      <PageHeader title="Events" />
      <AreaTabs />
      <DeadLettersPanel
        page={page ?? 1}
        onPage={(next) => void navigate({ search: { page: next } })}
        links={eventLinks}
      />
    </Page>
  )
}
