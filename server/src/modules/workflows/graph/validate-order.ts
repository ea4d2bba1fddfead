/** A graph runs from its start nodes on and never comes back. Pure. */
import type { Graph, GraphProblem } from '@chancery/contract/workflow-graph.ts'

type Neighbours = ReadonlyMap<string, readonly string[]>

export const validateOrder = (graph: Graph): GraphProblem[] => {
  const next = neighbours(graph)
  const starts = startNodes(graph)
  const reached = reachableFrom(starts, next)
  const inCycle = cyclicNodes(graph, next)
  const found = graph.nodes.flatMap(({ id }) => {
    if (inCycle.has(id)) return [problem(id, 'This node leads back to itself.')]
    return reached.has(id) ? [] : [problem(id, 'No way leads from a start to this node.')]
  })
  return starts.length === 0
    ? [problem(null, 'The graph has no start: every node has one before it.'), ...found]
    : found
}

const problem = (nodeId: string | null, message: string): GraphProblem => ({
  ...{ node_id: nodeId, edge_id: null, field: null, message },
})

/** Where runs begin: nodes that nothing leads to. */
const startNodes = ({ nodes, edges }: Graph): string[] => {
  const known = new Set(nodes.map(({ id }) => id))
  const targets = new Set(edges.filter(({ source }) => known.has(source)).map(({ target }) => target))
  return nodes.filter(({ id }) => !targets.has(id)).map(({ id }) => id)
}

const neighbours = ({ nodes, edges }: Graph): Neighbours => {
  const next = new Map<string, string[]>(nodes.map(({ id }) => [id, []]))
  for (const { source, target } of edges) if (next.has(target)) next.get(source)?.push(target)
  return next
}

const reachableFrom = (starts: readonly string[], next: Neighbours): Set<string> => {
  const reached = new Set(starts)
  for (const id of reached) for (const target of next.get(id) ?? []) reached.add(target)
  return reached
}

/** Kosaraju's way: against the edges, from what was finished last, one reaches exactly what one lies on a cycle with. */
const cyclicNodes = (graph: Graph, next: Neighbours): Set<string> => {
  const back = neighbours({
    ...graph,
    edges: graph.edges.map((edge) => ({ ...edge, source: edge.target, target: edge.source })),
  })
  const inCycle = new Set<string>()
  const seen = new Set<string>()
  for (const id of finishedFirst(next).reverse()) {
    const group = walk(id, back, seen)
    const isCycle = group.length > 1 || next.get(id)?.includes(id)
    if (isCycle) for (const one of group) inCycle.add(one)
  }
  return inCycle
}

/** Every node after all that it leads to, as far as cycles allow. */
const finishedFirst = (next: Neighbours): string[] => {
  const seen = new Set<string>()
  return [...next.keys()].flatMap((id) => walk(id, next, seen))
}

/** What can be reached from a node and was not seen before, each when it has nowhere left to go. */
const walk = (start: string, next: Neighbours, seen: Set<string>): string[] => {
  if (seen.has(start)) return []
  seen.add(start)
  const finished: string[] = []
  const way = [{ id: start, rest: (next.get(start) ?? []).values() }]
  for (let here = way.at(-1); here; here = way.at(-1)) {
    const { value: to } = here.rest.next()
    if (to === undefined) finished.push(way.pop()?.id ?? '')
    else if (!seen.has(to)) {
      seen.add(to)
      way.push({ id: to, rest: (next.get(to) ?? []).values() })
    }
  }
  return finished
}
