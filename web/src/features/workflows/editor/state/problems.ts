/** Problems that prevent the graph from running, each with the field where it can be fixed. */

import type { Graph, GraphProblem } from '@chancery/contract/workflows/graph.ts'
import { problemText } from '#lib/problems/problem-text.ts'
import { fieldLabel, formField } from '../../graph/field-names.ts'

export interface LocatedProblem {
  key: string
  /** The node that a click leads to; undefined for problems with the whole graph. */
  nodeId: string | undefined
  /** A field of the node's form, or of the workflow settings if there is no node. */
  field: string | undefined
  /** The position inside a field with several parts. */
  part: string | undefined
  location: string
  message: string
  /** It doesn't have to be fixed before publishing. */
  isHint?: true
}

/** Edge problems are fixed at the node the edge starts from. Problems of deleted nodes are dropped. */
export function locateProblems(graph: Graph, problems: readonly GraphProblem[]): LocatedProblem[] {
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
        part: field !== undefined && hasParts(field) ? fieldLabel(field, node?.type) : undefined,
        location: [owner, field && fieldLabel(field, node?.type)].filter(Boolean).join(' · '),
        message: problemText(problem.message),
      },
    ]
  })
}

export const locateHints = (graph: Graph, hints: readonly GraphProblem[]): LocatedProblem[] =>
  locateProblems(graph, hints).map((hint) => ({ ...hint, key: `hint ${hint.key}`, isHint: true }))

/** `config.cases[0].expression`, but not `config.model`. */
const hasParts = (path: string): boolean => /[.[]/.test(path.replace(/^config\./, ''))

/** The messages shown on each card. */
export function problemsByNode(located: readonly LocatedProblem[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { nodeId, location, message } of located) {
    if (nodeId === undefined) continue
    const field = location.split(' · ').at(1)
    found.set(nodeId, [...(found.get(nodeId) ?? []), field === undefined ? message : `${field}: ${message}`])
  }
  return found
}
