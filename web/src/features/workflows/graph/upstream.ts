/** What has run before a node whenever it runs, or may have: what its expressions can read. */
import type { Graph, GraphNode } from '@chancery/contract/workflow-graph.ts'

export function upstreamOf({ nodes, edges }: Graph, nodeId: string): GraphNode[] {
  const before = Map.groupBy(edges, ({ target }) => target)
  const reached = new Set([nodeId])
  for (const id of reached) for (const { source } of before.get(id) ?? []) reached.add(source)
  reached.delete(nodeId)
  return nodes.filter(({ id }) => reached.has(id))
}
