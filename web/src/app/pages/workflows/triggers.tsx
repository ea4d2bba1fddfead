/** The triggers of a workflow. The open one is in the URL. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useWorkflow } from '#features/workflows/api.ts'
import { NewTriggerMenu } from '#features/workflows/triggers/new-trigger-menu.tsx'
import { TriggerDialog } from '#features/workflows/triggers/trigger-dialog.tsx'
import { TriggersPanel } from '#features/workflows/triggers/triggers-panel.tsx'
import { textLink } from '#ui/button/href-link.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { EventInExplorer } from './event-in-explorer.tsx'

const route = getRouteApi('/shell/workflows/$workflowId/triggers')

export function TriggersPage() {
  const { workflowId } = route.useParams()
  const { open } = route.useSearch()
  const navigate = route.useNavigate()
  // The frame around this page has loaded it already, and shows the loading and error states.
  const { data: workflow } = useWorkflow(workflowId)
  const show = useCallback((id: string) => void navigate({ search: { open: id } }), [navigate])
  if (!workflow) return null
  return (
    <>
      <PageTitle>{`${workflow.name}: triggers`}</PageTitle>
      <TriggersPanel
        workflow={workflow}
        action={<NewTriggerMenu onOpen={show} />}
        onOpen={show}
        reviewLink={
          <Link to="/workflows/$workflowId/review" params={{ workflowId }} className={textLink}>
            Go to review
          </Link>
        }
      />
      <TriggerDialog
        workflow={workflow}
        open={open}
        onOpen={show}
        onClose={() => void navigate({ search: {}, replace: true })}
        eventLink={EventInExplorer}
      />
    </>
  )
}
