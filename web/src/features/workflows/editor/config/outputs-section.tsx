/** The outputs of a node and where each one leads. The keyboard and touch alternative to drawing edges. */
import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'
import { ArrowRight, X } from 'lucide-react'
import { useMemo } from 'react'
import { IconButton } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { BareSelect } from '#ui/form/inputs.tsx'
import { handleId, outputsOf } from '../../graph/flow-elements.ts'
import { type Join, targetsOf } from '../state/graph-edits.ts'

interface OutputsSectionProps {
  graph: Graph
  node: GraphNode
  onJoin: (join: Join) => void
  onCut: (edgeId: string) => void
}

export function OutputsSection({ graph, node, onJoin, onCut }: OutputsSectionProps) {
  const deleting = graph.edges.filter(({ source }) => source === node.id)
  const outputs = outputsOf(node, deleting)
  const nameOf = (id: string) => graph.nodes.find((one) => one.id === id)?.name ?? id
  return (
    <section aria-label="Outputs" className="flex flex-col gap-3 border-t pt-3">
      <h3 className="font-medium text-sm">Outputs</h3>
      {outputs.map(({ name, isGone }) => (
        <div key={handleId(name)} className="flex flex-col gap-1">
          {(name !== null || outputs.length > 1) && (
            <p className={cx('text-sm', isGone ? 'text-bad' : 'text-soft')}>
              {name ?? 'then'}
              {isGone && ', no longer an output of this node'}
            </p>
          )}
          <ul className="flex flex-col gap-1">
            {deleting
              .filter((edge) => (edge.source_handle || null) === name)
              .map((edge) => (
                <li key={edge.id} className="flex items-center gap-2 rounded-control bg-sunken py-0.5 pr-1 pl-2.5">
                  <ArrowRight aria-hidden className="size-3.5 shrink-0 text-faint" />
                  <span className="min-w-0 flex-1 truncate text-sm">{nameOf(edge.target)}</span>
                  <IconButton
                    label={`Remove edge to ${nameOf(edge.target)}`}
                    icon={X}
                    isTiny
                    onClick={() => onCut(edge.id)}
                  />
                </li>
              ))}
          </ul>
          {!isGone && <TargetSelect graph={graph} source={node.id} handle={name} onJoin={onJoin} />}
        </div>
      ))}
    </section>
  )
}

interface TargetSelectProps {
  graph: Graph
  source: string
  handle: string | null
  onJoin: (join: Join) => void
}

/** Only nodes an edge may lead to: nothing that would create a cycle. */
function TargetSelect({ graph, source, handle, onJoin }: TargetSelectProps) {
  const offered = useMemo(() => targetsOf(graph, source, handle), [graph, source, handle])
  const leadsOn = graph.edges.some((edge) => edge.source === source && (edge.source_handle || null) === handle)
  if (offered.length === 0)
    return leadsOn ? null : <p className="text-faint text-sm">Not connected. The run ends here.</p>
  return (
    <BareSelect
      aria-label={handle === null ? 'Connect to a node' : `Connect “${handle}” to a node`}
      value=""
      onChange={(event) => onJoin({ source, target: event.target.value, handle })}
      className="h-8! text-sm! text-soft"
    >
      <option value="">Connect to…</option>
      {offered.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </BareSelect>
  )
}
