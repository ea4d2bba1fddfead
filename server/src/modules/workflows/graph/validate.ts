/** What keeps a graph from running, by node, edge and field. A draft may have problems; a published graph has none. Pure. */
import type { Graph, GraphNode, GraphProblem } from '@chancery/contract/workflow-graph.ts'
import { validateConfig } from './validate-config.ts'
import { validateEdges } from './validate-edges.ts'
import { validateOrder } from './validate-order.ts'

/** More are shown once these are fixed. */
const maxProblems = 200

/** `workflowId` is that of the graph, once it has one. */
export const validateGraph = (graph: Graph, workflowId?: string): GraphProblem[] => {
  if (graph.nodes.length === 0)
    return [{ node_id: null, edge_id: null, field: 'nodes', message: 'The graph has no nodes.' }]
  return [
    ...repeatedIds(graph.nodes),
    ...graph.nodes.flatMap((node) => nodeProblems(node, workflowId)),
    ...validateEdges(graph),
    ...validateOrder(graph),
  ].slice(0, maxProblems)
}

const nodeProblems = (node: GraphNode, workflowId: string | undefined): GraphProblem[] =>
  validateConfig(node, workflowId).map(({ field, message }) => ({ node_id: node.id, edge_id: null, field, message }))

const repeatedIds = (nodes: readonly GraphNode[]): GraphProblem[] => {
  const seen = new Set<string>()
  return nodes.flatMap(({ id }) => {
    if (!seen.has(id)) {
      seen.add(id)
      return []
    }
    return [{ node_id: id, edge_id: null, field: 'id', message: 'Another node has this id.' }]
  })
}
