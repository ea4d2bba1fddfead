/** The runs of one workflow; the filters are in the URL. */
import { getRouteApi } from '@tanstack/react-router'
import { useWorkflow } from '#features/workflows/api.ts'
import { filterOf, searchOf } from '#features/workflows/runs/run-filter.ts'
import { RunsPanel } from '#features/workflows/runs/runs-panel.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { runLinks } from '../../links.ts'

const route = getRouteApi('/shell/workflows/$workflowId/runs')

export function RunsPage() {
  const { workflowId } = route.useParams()
  const filter = filterOf(route.useSearch())
  const navigate = route.useNavigate()
  const name = useWorkflow(workflowId).data?.name
  return (
    <>
      <PageTitle>{name === undefined ? 'Runs' : `Runs of ${name}`}</PageTitle>
      <RunsPanel
        workflowId={workflowId}
        filter={filter}
        onFilter={(next) => void navigate({ search: searchOf(next), replace: true })}
        links={runLinks}
      />
    </>
  )
}
