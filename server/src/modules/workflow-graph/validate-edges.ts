/** Edges connect existing nodes, leave from handles that these have, and none is there twice. Pure. */
import {
  type Graph,
  type GraphEdge,
  type GraphNode,
  type GraphProblem,
  nodeHandles,
  typesWithoutDefaultHandle,
} from '@chancery/contract/workflows/graph.ts'
import { kindOf } from './kinds/index.ts'

export const validateEdges = ({ nodes, edges }: Graph): GraphProblem[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const ids = new Set<string>()
  const joins = new Set<string>()
  return edges.flatMap((edge) => {
    const found = endProblems(edge, byId)
    const join = JSON.stringify([edge.source, edge.source_handle ?? '', edge.target])
    if (ids.has(edge.id)) found.push(problem(edge, 'id', 'Another edge has this id.'))
    if (joins.has(join))
      found.push(problem(edge, 'source', 'Another edge connects the same two nodes in the same way.'))
    ids.add(edge.id)
    joins.add(join)
    return found
  })
}

const endProblems = (edge: GraphEdge, byId: ReadonlyMap<string, GraphNode>): GraphProblem[] => {
  const found: GraphProblem[] = []
  const source = byId.get(edge.source)
  if (!source) found.push(problem(edge, 'source', "The edge starts at a node that doesn't exist."))
  if (!byId.has(edge.target)) found.push(problem(edge, 'target', "The edge ends at a node that doesn't exist."))
  if (edge.target_handle) found.push(problem(edge, 'target_handle', 'A node has one input, without a name.'))
  if (source && !handlesOf(source).includes(edge.source_handle || null))
    found.push(problem(edge, 'source_handle', handleProblem(source, edge.source_handle)))
  return found
}

const problem = (edge: GraphEdge, field: string, message: string): GraphProblem => ({
  node_id: null,
  edge_id: edge.id,
  field,
  message,
})

const handleProblem = ({ name }: GraphNode, handle: string | null | undefined): string =>
  handle === 'error'
    ? `"${name}" has no "error" output. Set it to continue on error.`
    : handle
      ? `"${name}" has no output "${handle}".`
      : `"${name}" has no default output. Connect one of its named outputs.`

/** The handles a node can end with; null is the unnamed one. */
export const handlesOf = ({ type, config }: GraphNode): (string | null)[] => [
  ...(typesWithoutDefaultHandle.includes(type) ? [] : [null]),
  ...(kindOf(type).ownHandles?.(config) ?? nodeHandles[type] ?? []),
  ...(config.on_error === 'continue' ? ['error'] : []),
]
