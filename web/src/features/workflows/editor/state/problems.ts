/** What prevents the graph from running, with the location where it can be fixed. */
import type { Graph, GraphProblem } from '@chancery/contract/workflow-graph.ts'
import { formField, sayField } from '../../graph/field-names.ts'

export interface PlacedProblem {
  key: string
  /** Where a click leads; undefined for problems with the whole graph. */
  nodeId: string | undefined
  /** A field of the node's form, or of the workflow settings if there is no node. */
  field: string | undefined
  /** The position inside a field with several parts. */
  part: string | undefined
  place: string
  message: string
}

const sentence = (text: string): string => {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?)]$/.test(start) ? start : `${start}.`
}

/** Edge problems are fixed at the node the edge starts from. Problems of deleted nodes are dropped. */
export function placeProblems(graph: Graph, problems: readonly GraphProblem[]): PlacedProblem[] {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const edges = new Map(graph.edges.map((edge) => [edge.id, edge]))
  return problems.flatMap((problem, index) => {
    const edge = problem.edge_id === null ? undefined : edges.get(problem.edge_id)
    const nodeId = problem.node_id ?? edge?.source
    const node = nodeId === undefined ? undefined : nodes.get(nodeId)
    if (node === undefined && (problem.node_id !== null || problem.edge_id !== null)) return []
    const isSetting = problem.node_id === null && problem.field?.startsWith('settings.') === true
    const field = problem.node_id === null && !isSetting ? undefined : (problem.field ?? undefined)
    const owner = node?.name ?? (isSetting ? 'Workflow settings' : 'Workflow')
    return [
      {
        key: `${index}`,
        nodeId: node?.id,
        field: field && formField(field),
        part: field !== undefined && hasParts(field) ? sayField(field) : undefined,
        place: [owner, field && sayField(field)].filter(Boolean).join(' · '),
        message: sentence(problem.message),
      },
    ]
  })
}

/** `config.cases[0].expression`, but not `config.model`. */
const hasParts = (path: string): boolean => /^(?:config\.)?[^.[]+[.[]/.test(path)

/** The messages shown on each card. */
export function problemsByNode(placed: readonly PlacedProblem[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { nodeId, place, message } of placed) {
    if (nodeId === undefined) continue
    const field = place.split(' · ').at(1)
    found.set(nodeId, [...(found.get(nodeId) ?? []), field === undefined ? message : `${field}: ${message}`])
  }
  return found
}
