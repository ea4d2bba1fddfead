/**
 * Problems that keep a graph from running, by node, edge and field. A draft may have problems; a published graph has
 * none. Pure.
 */
import {
  defaultDeadlineSec,
  type Graph,
  type GraphNode,
  type GraphProblem,
} from '@chancery/contract/workflows/graph.ts'
import { kindOf } from './kinds/index.ts'
import { runNames, type Surroundings } from './kinds/kind.ts'
import { validateConfig } from './validate-config.ts'
import { validateEdges } from './validate-edges.ts'
import { validateOrder } from './validate-order.ts'

/** More are shown once these are fixed. */
const maxProblems = 200

/** `workflowId` is that of the graph, once it has one. */
export const validateGraph = (graph: Graph, workflowId?: string): GraphProblem[] => {
  if (graph.nodes.length === 0)
    return [{ node_id: null, edge_id: null, field: 'nodes', message: 'The graph has no nodes.' }]
  const names = new Set<string>([...runNames, ...graph.nodes.map(({ id }) => id)])
  const around = { workflowId, names, parsing: { leftMs: 100 }, mistakes: { leftMs: 500 } }
  return [
    ...repeatedIds(graph.nodes),
    ...takenNames(graph.nodes),
    ...graph.nodes.flatMap((node) => nodeProblems(node, around)),
    ...tooLongWaits(graph),
    ...loneMerges(graph),
    ...validateEdges(graph),
    ...validateOrder(graph),
  ].slice(0, maxProblems)
}

const loneMerges = ({ nodes, edges }: Graph): GraphProblem[] =>
  nodes
    .filter(({ id, type }) => kindOf(type).joins && edges.filter(({ target }) => target === id).length < 2)
    .map(({ id }) => ({ node_id: id, edge_id: null, field: null, message: 'Connect at least two branches to it.' }))

/** If waiting counts, a wait that outlasts the deadline always ends the run. */
const tooLongWaits = ({ nodes, settings }: Graph): GraphProblem[] => {
  if (!settings?.deadline_counts_waiting) return []
  const { deadline_sec: allowed = defaultDeadlineSec } = settings
  return nodes.flatMap(({ id, type, config }) => {
    const field = kindOf(type).waitField?.(config)
    const wanted = field && config[field]
    if (typeof wanted !== 'number' || wanted <= allowed) return []
    const message = `This waits longer than the run's deadline of ${allowed} seconds.`
    return [{ node_id: id, edge_id: null, field: `config.${field}`, message }]
  })
}

const nodeProblems = (node: GraphNode, around: Surroundings): GraphProblem[] =>
  validateConfig(node, around).map(({ field, message }) => ({ node_id: node.id, edge_id: null, field, message }))

/** Templates find a node's result by its ID, which would hide what every run has under that name, or be hidden by it. */
const takenNames = (nodes: readonly GraphNode[]): GraphProblem[] =>
  nodes
    .filter(({ id }) => (runNames as readonly string[]).includes(id))
    .map(({ id }) => {
      const message = `"${id}" means something else in templates. Choose a different ID.`
      return { node_id: id, edge_id: null, field: 'id', message }
    })

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
