/** The graph editor of a workflow. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useWorkflow } from '#features/workflows/api.ts'
import { Editor } from '#features/workflows/editor/editor.tsx'
import { textLink } from '#ui/button/href-link.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { EventInExplorer } from './event-in-explorer.tsx'

const route = getRouteApi('/shell/workflows/$workflowId/')
const hrefOf = (id: string) => `/workflows/${id}`

export function EditorPage() {
  const { workflowId } = route.useParams()
  const { node } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useWorkflow(workflowId)
  const onNode = useCallback(
    (nodeId: string | undefined) =>
      void navigate({ search: nodeId === undefined ? {} : { node: nodeId }, replace: true }),
    [navigate],
  )
  // The frame around it shows the loading and error states.
  if (!data) return null
  return (
    <>
      <PageTitle>{data.name}</PageTitle>
      <Editor
        key={workflowId}
        workflow={data}
        nodeId={node}
        onNode={onNode}
        hrefOf={hrefOf}
        reviewLink={
          <Link to="/workflows/$workflowId/review" params={{ workflowId }} className={textLink}>
            Go to review
          </Link>
        }
        eventLink={EventInExplorer}
      />
    </>
  )
}
