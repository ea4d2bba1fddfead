/** Problems that prevent a graph from running, each with a link to where it can be fixed. */
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { problemText } from '#lib/problems/problem-text.ts'
import { fieldLabel } from '../graph/field-names.ts'

/** Renders a link into the editor; the page knows the route. */
export type NodeLink = (props: { nodeId: string; children: ReactNode }) => ReactNode

interface ProblemsListProps {
  workflow: Pick<Workflow, 'problems' | 'graph'>
  nodeLink: NodeLink
}

export function ProblemsList({ workflow: { problems, graph }, nodeLink: NodeLink }: ProblemsListProps) {
  const typeOf = (nodeId: string | null) => graph.nodes.find(({ id }) => id === nodeId)?.type
  const names = new Map(graph.nodes.map(({ id, name }) => [id, name]))
  return (
    <section aria-label="Problems" className="rounded-panel border border-bad/30 bg-bad-wash px-4 py-3">
      <h3 className="flex items-center gap-2 font-medium">
        <CircleAlert aria-hidden className="size-4 text-bad" />
        {problems.length === 1
          ? '1 problem to fix before it can run'
          : `${problems.length} problems to fix before it can run`}
      </h3>
      <ul className="mt-2 flex flex-col gap-1.5">
        {problems.map(({ node_id, edge_id, field, message }) => (
          <li key={`${node_id}/${edge_id}/${field}/${message}`}>
            {node_id !== null && (
              <>
                <NodeLink nodeId={node_id}>{names.get(node_id) ?? node_id}</NodeLink>
                {': '}
              </>
            )}
            {field !== null && <span className="mr-1 text-soft">{fieldLabel(field, typeOf(node_id))}:</span>}
            {problemText(message)}
          </li>
        ))}
      </ul>
    </section>
  )
}
