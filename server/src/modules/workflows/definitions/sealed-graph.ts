/** Graphs as they are stored: each secret is encrypted for its workflow, so a copied row reveals nothing. */

import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { mapSecrets } from '#modules/workflow-graph/index.ts'
import type { SealedGraph } from '../tables.ts'

const place = { purpose: 'workflow', columns: ['graph'] }
storedSeal({ ...place, table: 'workflow_graphs', by: ['workflow_id'] })
const sealedAs = storedSeal({ ...place, table: 'workflows', by: ['id'] })

/** Values are sealed as JSON, so that opening returns exactly what was stored. */
export const sealGraph = ({ sealer }: Pick<Kernel, 'sealer'>, workflowId: string, graph: Graph): SealedGraph => {
  const seal = (_path: readonly string[], value: unknown) => sealer.seal(JSON.stringify(value), sealedAs(workflowId))
  return { ...graph, nodes: graph.nodes.map((node) => mapSecrets(node, seal)) } as SealedGraph
}

type Opening = Pick<Kernel, 'sealer' | 'log'>

/** A node of a sealed graph with its secrets decrypted. Never for a reply. */
export const openNode = ({ sealer, log }: Opening, workflowId: string, node: GraphNode): GraphNode => {
  const open = (path: readonly string[], value: unknown): unknown => {
    try {
      return parseOwn(sealer.open(String(value), sealedAs(workflowId)))
    } catch (problem) {
      // One unreadable secret must not make the whole workflow unreadable.
      log.error(
        { err: problem, workflow: workflowId, path },
        'A secret of a workflow cannot be decrypted. Enter it again.',
      )
      return null
    }
  }
  return mapSecrets(node, open)
}

/** For runs, comparisons and sealing again. */
export const openGraph = (kernel: Opening, workflowId: string, graph: SealedGraph): Graph => ({
  ...graph,
  nodes: graph.nodes.map((node) => openNode(kernel, workflowId, node)),
})
