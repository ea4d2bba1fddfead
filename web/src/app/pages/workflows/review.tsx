/** The review of a workflow. The selected node is in the URL. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useWorkflow } from '#features/workflows/api.ts'
import { ChangesPanel } from '#features/workflows/review/changes-panel.tsx'
import type { NodeLink } from '#features/workflows/review/problems-list.tsx'
import { ReviewPanel } from '#features/workflows/review/review-panel.tsx'
import { textLink } from '#ui/button/href-link.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

const route = getRouteApi('/shell/workflows/$workflowId/review')

export function ReviewPage() {
  const { workflowId } = route.useParams()
  const { node } = route.useSearch()
  const navigate = route.useNavigate()
  // The frame around this page has loaded it already, and shows the loading and error states.
  const { data: workflow } = useWorkflow(workflowId)
  const select = useCallback(
    (key: string | undefined) =>
      void navigate({ search: key === undefined ? {} : { node: key }, replace: true, resetScroll: false }),
    [navigate],
  )
  if (!workflow) return null
  const nodeLink: NodeLink = ({ nodeId, children }) => (
    <Link to="/workflows/$workflowId" params={{ workflowId }} search={{ node: nodeId }} className={textLink}>
      {children}
    </Link>
  )
  return (
    <>
      <PageTitle>{`${workflow.name}: review`}</PageTitle>
      <ReviewPanel workflow={workflow} nodeLink={nodeLink} />
      <ChangesPanel
        workflow={workflow}
        selected={node}
        onSelect={select}
        onTriggers={() => void navigate({ to: '/workflows/$workflowId/triggers', params: { workflowId } })}
      />
    </>
  )
}
