/** The nodes that run, or may run, before a node: what its expressions can refer to. */
import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'

export function upstreamOf({ nodes, edges }: Graph, nodeId: string): GraphNode[] {
  const before = Map.groupBy(edges, ({ target }) => target)
  const reached = new Set([nodeId])
  for (const id of reached) for (const { source } of before.get(id) ?? []) reached.add(source)
  reached.delete(nodeId)
  return nodes.filter(({ id }) => reached.has(id))
}
