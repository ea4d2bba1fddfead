/**
 * The problems of a graph in itself: its expressions, code and schemas are parsed and compiled, which can take any time, so
 * a thread does it. What is known of a graph is kept by its hash: it is checked before a transaction asks again.
 */
import type { Graph, GraphProblem } from '@chancery/contract/workflows/graph.ts'
import type { Compute } from '#kernel/compute/index.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { checkingGraph } from '#modules/workflow-graph/index.ts'

export interface HashedGraph {
  id: string
  graph: Graph
  graphHash: string
}

const maxKnown = 500
const known = new Map<string, readonly GraphProblem[]>()

const tooMuch: GraphProblem = {
  node_id: null,
  edge_id: null,
  field: 'nodes',
  message: 'This graph takes too long to check. Make its expressions, code and schemas smaller, or fewer.',
}

export const checkGraph = async (
  compute: Compute,
  actor: Actor,
  { id, graph, graphHash }: HashedGraph,
): Promise<readonly GraphProblem[]> => {
  const key = `${id} ${graphHash}`
  const before = known.get(key)
  if (before) return before
  const problems = await compute(checkingGraph, { graph, id }, { owner: scopeOf(actor) }).catch((problem: unknown) => {
    if (problem instanceof AppError && problem.code.startsWith('computation_')) return [tooMuch]
    throw problem
  })
  if (known.size >= maxKnown) known.clear()
  known.set(key, problems)
  return problems
}
