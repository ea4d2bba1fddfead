/** Every node is reachable from a start node, and no path leads back. Pure. */
import type { Graph, GraphProblem } from '@chancery/contract/workflows/graph.ts'

type Neighbours = ReadonlyMap<string, readonly string[]>

export const validateOrder = (graph: Graph): GraphProblem[] => {
  const next = neighbours(graph)
  const starts = startNodes(graph)
  const reached = reachableFrom(starts, next)
  const inCycle = cyclicNodes(graph, next)
  const found = graph.nodes.flatMap(({ id }) => {
    if (inCycle.has(id)) return [problem(id, 'This node is part of a loop.')]
    return reached.has(id) ? [] : [problem(id, "This node can't be reached from a start node.")]
  })
  return starts.length === 0
    ? [problem(null, 'The graph has no start node: every node has an incoming edge.'), ...found]
    : found
}

const problem = (nodeId: string | null, message: string): GraphProblem => ({
  node_id: nodeId,
  edge_id: null,
  field: null,
  message,
})

/** Nodes without incoming edges. */
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

/** Kosaraju's algorithm: nodes that reach each other against the edges, from the last finished on, form a cycle. */
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

/** Nodes in post-order: each after all that it leads to, as far as cycles allow. */
const finishedFirst = (next: Neighbours): string[] => {
  const seen = new Set<string>()
  return [...next.keys()].flatMap((id) => walk(id, next, seen))
}

/** The unseen nodes reachable from a node, in post-order. */
const walk = (start: string, next: Neighbours, seen: Set<string>): string[] => {
  if (seen.has(start)) return []
  seen.add(start)
  const finished: string[] = []
  const path = [{ id: start, rest: (next.get(start) ?? []).values() }]
  for (let here = path.at(-1); here; here = path.at(-1)) {
    const { value: to } = here.rest.next()
    if (to === undefined) finished.push(path.pop()?.id ?? '')
    else if (!seen.has(to)) {
      seen.add(to)
      path.push({ id: to, rest: (next.get(to) ?? []).values() })
    }
  }
  return finished
}
