/** Work that isn't tried any more because it ended the server several times. */
import { getRouteApi } from '@tanstack/react-router'
import { HeldBackTable } from '#features/console/held-back/held-back-table.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/platform/held-back')

export function HeldBackPage() {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Panel
      title="Held back"
      hint="The server ended several times while it did this work, so it isn’t tried again until you release it. Everything else goes on."
      isFlush
    >
      <PageTitle>Held back</PageTitle>
      <HeldBackTable page={page} onPage={(next) => void navigate({ search: { page: next } })} />
    </Panel>
  )
}
