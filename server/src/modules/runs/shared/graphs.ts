/** The graphs that runs are pinned to. A snapshot never changes, so it can be cached. */

import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'
import type { Db } from '#kernel/db/database.ts'
import { mapSecrets, parseTemplate } from '#modules/workflow-graph/index.ts'
import { type Wiring, wire } from '../core/plan.ts'
import type { Definitions, StoredGraph } from './definitions.ts'

export interface PinnedGraph {
  /** Its secrets are sealed. */
  graph: Graph
  nodes: ReadonlyMap<string, GraphNode>
  wiring: Wiring
  /** One node with its secrets decrypted, for a single call. */
  open(nodeId: string): GraphNode | undefined
  /** The secrets of all nodes, decrypted. Of a header with placeholders, what is written beside them. */
  secrets(): string[]
  /** The stored credentials that its requests sign in with. */
  credentialIds: readonly string[]
}

export interface Graphs {
  /** Synchronous when cached. Undefined once the workflow is deleted. */
  find(run: { workflowId: string; graphHash: string }): PinnedGraph | Promise<PinnedGraph | undefined>
}

const maxCached = 500

export const createGraphs = (db: Db, definitions: Pick<Definitions, 'findGraphUnscoped'>): Graphs => {
  const cached = new Map<string, PinnedGraph>()

  const read = async (workflowId: string, graphHash: string): Promise<PinnedGraph | undefined> => {
    const stored = await definitions.findGraphUnscoped(db, workflowId, graphHash)
    if (!stored) return undefined
    const pinned = pin(stored)
    cached.set(`${workflowId} ${graphHash}`, pinned)
    const [oldest] = cached.keys()
    if (cached.size > maxCached && oldest !== undefined) cached.delete(oldest)
    return pinned
  }
  return {
    find: ({ workflowId, graphHash }) => cached.get(`${workflowId} ${graphHash}`) ?? read(workflowId, graphHash),
  }
}

const pin = ({ graph, open }: StoredGraph): PinnedGraph => {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const withSecrets = graph.nodes.filter((node) => secretsOf(node).length > 0)
  return {
    graph,
    nodes,
    wiring: wire(graph),
    open: (nodeId) => {
      const node = nodes.get(nodeId)
      return node && open(node)
    },
    secrets: () => withSecrets.flatMap((node) => secretsOf(open(node))).flatMap(writtenParts),
    credentialIds: graph.nodes.flatMap(({ config }) =>
      typeof config.credential_id === 'string' ? [config.credential_id] : [],
    ),
  }
}

const secretsOf = (node: GraphNode): string[] => {
  const found: string[] = []
  mapSecrets(node, (_path, value) => {
    if (typeof value === 'string') found.push(value)
    return value
  })
  return found
}

/** Values of placeholders are in the run already. */
const writtenParts = (value: string): string[] => {
  try {
    return parseTemplate(value).filter((part) => typeof part === 'string')
  } catch {
    return [value]
  }
}
