/** The runs of one workflow; the filter is in the URL. */
import { RunStatus } from '@chancery/contract/workflow-runs.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useWorkflow } from '#features/workflows/api.ts'
import { RunsPanel } from '#features/workflows/runs/runs-panel.tsx'
import { PageTitle } from '#ui/page-title.tsx'
import { runLinks } from '../../links.ts'

const route = getRouteApi('/shell/workflows/$workflowId/runs')

export function RunsPage() {
  const { workflowId } = route.useParams()
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  const name = useWorkflow(workflowId).data?.name
  return (
    <>
      <PageTitle>{name === undefined ? 'Runs' : `Runs of ${name}`}</PageTitle>
      <RunsPanel
        workflowId={workflowId}
        status={RunStatus.safeParse(status).data}
        onStatus={(next) => void navigate({ search: next === undefined ? {} : { status: next }, replace: true })}
        links={runLinks}
      />
    </>
  )
}
