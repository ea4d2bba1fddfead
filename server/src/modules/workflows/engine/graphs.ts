/** The graphs that runs are pinned to. A snapshot never changes, so it can be cached. */
import type { Graph, GraphNode } from '@chancery/contract/workflow-graph.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { openGraph } from '../definitions/sealed-graph.ts'
import { findGraphUnscoped } from '../queries/versions.ts'
import type { SealedGraph } from '../tables.ts'
import { type Wiring, wire } from './core/plan.ts'

export interface PinnedGraph {
  /** Its secrets are sealed. */
  graph: SealedGraph
  nodes: ReadonlyMap<string, GraphNode>
  wiring: Wiring
  /** One node with its secrets decrypted, for a single call. */
  open(nodeId: string): GraphNode | undefined
}

export interface Graphs {
  /** Synchronous when cached. Undefined once the workflow is deleted. */
  find(run: { workflowId: string; graphHash: string }): PinnedGraph | Promise<PinnedGraph | undefined>
}

const maxCached = 500

export const createGraphs = (kernel: Pick<Kernel, 'db' | 'sealer' | 'log'>): Graphs => {
  const cached = new Map<string, PinnedGraph>()

  const read = async (workflowId: string, graphHash: string): Promise<PinnedGraph | undefined> => {
    const graph = await findGraphUnscoped(kernel.db, workflowId, graphHash)
    if (!graph) return undefined
    const pinned = pin(kernel, workflowId, graph)
    cached.set(`${workflowId} ${graphHash}`, pinned)
    const [oldest] = cached.keys()
    if (cached.size > maxCached && oldest !== undefined) cached.delete(oldest)
    return pinned
  }
  return {
    find: ({ workflowId, graphHash }) => cached.get(`${workflowId} ${graphHash}`) ?? read(workflowId, graphHash),
  }
}

const pin = (kernel: Pick<Kernel, 'sealer' | 'log'>, workflowId: string, graph: SealedGraph): PinnedGraph => {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const openOne = (node: GraphNode): Graph => openGraph(kernel, workflowId, { ...graph, nodes: [node], edges: [] })
  return {
    graph,
    nodes,
    wiring: wire(graph),
    open: (nodeId) => {
      const node = nodes.get(nodeId)
      return node && openOne(node).nodes[0]
    },
  }
}
