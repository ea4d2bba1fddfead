/** The graphs that runs are pinned to. A snapshot never changes, so a copy in memory is as good as the row. */
import type { Graph, GraphNode } from '@chancery/contract/workflow-graph.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { openGraph } from '../definitions/sealed-graph.ts'
import { findGraphUnscoped } from '../queries/versions.ts'
import type { SealedGraph } from '../tables.ts'
import { type Wiring, wire } from './plan.ts'

export interface PinnedGraph {
  /** Its secrets are sealed. */
  graph: SealedGraph
  nodes: ReadonlyMap<string, GraphNode>
  wiring: Wiring
  /** One node with its secrets in the clear, for the moment it is run. */
  open(nodeId: string): GraphNode | undefined
}

export interface Graphs {
  /** At once where it is known. Undefined once its workflow is deleted. */
  find(run: { workflowId: string; graphHash: string }): PinnedGraph | Promise<PinnedGraph | undefined>
}

const mostKept = 500

export const createGraphs = (kernel: Pick<Kernel, 'db' | 'sealer' | 'log'>): Graphs => {
  const kept = new Map<string, PinnedGraph>()

  const read = async (workflowId: string, graphHash: string): Promise<PinnedGraph | undefined> => {
    const graph = await findGraphUnscoped(kernel.db, workflowId, graphHash)
    if (!graph) return undefined
    const pinned = pin(kernel, workflowId, graph)
    kept.set(`${workflowId} ${graphHash}`, pinned)
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    return pinned
  }
  return { find: ({ workflowId, graphHash }) => kept.get(`${workflowId} ${graphHash}`) ?? read(workflowId, graphHash) }
}

const pin = (kernel: Pick<Kernel, 'sealer' | 'log'>, workflowId: string, graph: SealedGraph): PinnedGraph => {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const openOne = (node: GraphNode): Graph => openGraph(kernel, workflowId, { ...graph, nodes: [node], edges: [] })
  return {
    ...{ graph, nodes, wiring: wire(graph) },
    open: (nodeId) => {
      const node = nodes.get(nodeId)
      return node && openOne(node).nodes[0]
    },
  }
}
