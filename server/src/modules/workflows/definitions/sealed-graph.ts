/** Graphs as they are stored: each secret sealed to its workflow, so that a copied row opens nothing. */
import type { Graph } from '@chancery/contract/workflow-graph.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { mapSecrets } from '../graph/secrets.ts'
import type { SealedGraph } from '../tables.ts'

const sealedAs = (workflowId: string): string => `workflow:${workflowId}`

/** Whatever stands where a secret belongs is sealed as JSON: what opens is what was put in. */
export const sealGraph = ({ sealer }: Pick<Kernel, 'sealer'>, workflowId: string, graph: Graph): SealedGraph => {
  const seal = (_place: readonly string[], value: unknown) => sealer.seal(JSON.stringify(value), sealedAs(workflowId))
  return { ...graph, nodes: graph.nodes.map((node) => mapSecrets(node, seal)) } as SealedGraph
}

/** With its secrets in the clear: for runs, for comparing, for sealing again. Never for a reply. */
export const openGraph = (
  { sealer, log }: Pick<Kernel, 'sealer' | 'log'>,
  workflowId: string,
  graph: SealedGraph,
): Graph => {
  const open = (place: readonly string[], value: unknown): unknown => {
    try {
      return JSON.parse(sealer.open(String(value), sealedAs(workflowId)))
    } catch (problem) {
      // One secret that cannot be read must not take its workflow with it.
      log.error(
        { err: problem, workflow: workflowId, place },
        'A secret of a workflow cannot be opened. Enter it again.',
      )
      return null
    }
  }
  return { ...graph, nodes: graph.nodes.map((node) => mapSecrets(node, open)) }
}
