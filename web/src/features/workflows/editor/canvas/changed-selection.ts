/**
 * The selection after the canvas reported changes; the same object if nothing changed. The Start node is selected only
 * on its own: what can be done with several nodes can't be done with it.
 */
import type { EdgeChange, NodeChange } from '@xyflow/react'
import type { FlowEdge } from '../../graph/flow-elements.ts'
import { type FlowNode, startId } from '../../graph/start-node.ts'
import type { Selection } from '../state/editor-state.ts'

type Change = NodeChange<FlowNode> | EdgeChange<FlowEdge>

export function changedSelection(
  selection: Selection,
  nodes: readonly NodeChange<FlowNode>[],
  edges: readonly EdgeChange<FlowEdge>[],
): Selection {
  const changedNodes = changed(selection.nodes, nodes)
  const changedEdges = changed(selection.edges, edges)
  return changedNodes === selection.nodes && changedEdges === selection.edges
    ? selection
    : { nodes: changedNodes, edges: changedEdges }
}

function changed(ids: ReadonlySet<string>, changes: readonly Change[]): ReadonlySet<string> {
  const next = new Set(ids)
  for (const change of changes) {
    if (change.type !== 'select') continue
    if (change.selected) next.add(change.id)
    else next.delete(change.id)
  }
  if (next.size > 1) next.delete(startId)
  return next.size === ids.size && [...next].every((id) => ids.has(id)) ? ids : next
}
