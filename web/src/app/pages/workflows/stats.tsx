/** The statistics of one workflow; the period is in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { useWorkflow } from '#features/workflows/api.ts'
import { periodOf, StatsPanel } from '#features/workflows/stats/stats-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/workflows/$workflowId/stats')

export function StatsPage() {
  const { workflowId } = route.useParams()
  const { period } = route.useSearch()
  const navigate = route.useNavigate()
  const name = useWorkflow(workflowId).data?.name
  return (
    <>
      <PageTitle>{name === undefined ? 'Statistics' : `Statistics of ${name}`}</PageTitle>
      <StatsPanel
        workflowId={workflowId}
        period={periodOf(period)}
        onPeriod={(next) => void navigate({ search: { period: next }, replace: true })}
      />
    </>
  )
}
