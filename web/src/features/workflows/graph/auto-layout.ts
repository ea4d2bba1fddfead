/** Lays out a graph from left to right, without overlapping cards, and branches in the order of their outputs. */

import type { Graph, GraphEdge, GraphNode } from '@chancery/contract/workflows/graph.ts'
import dagre from '@dagrejs/dagre'
import { handlesOf } from '../kinds/node-kinds.ts'
import { cardHeight, cardWidth } from './card-size.ts'

const columnGap = 72
const rowGap = 36

/** The edges of a node from its upper output to its lower one. */
function byOutput(node: GraphNode, edges: readonly GraphEdge[]): GraphEdge[] {
  const outputs = handlesOf(node)
  return edges.toSorted(
    (one, other) => outputs.indexOf(one.source_handle ?? null) - outputs.indexOf(other.source_handle ?? null),
  )
}

/** The vertical order of cards. The layout fails on a circle, so an order that contradicts an earlier one is dropped. */
function createOrder() {
  const below = new Map<string, Set<string>>()
  const isAbove = (upper: string, lower: string, seen = new Set<string>()): boolean => {
    if (upper === lower) return true
    if (seen.has(upper)) return false
    seen.add(upper)
    return [...(below.get(upper) ?? [])].some((next) => isAbove(next, lower, seen))
  }
  return {
    add: (upper: string, lower: string) => {
      if (!isAbove(lower, upper)) below.set(upper, (below.get(upper) ?? new Set()).add(lower))
    },
    constraints: () => [...below].flatMap(([left, lower]) => [...lower].map((right) => ({ left, right }))),
  }
}

export function layOut(graph: Graph): Graph {
  const plan = new dagre.graphlib.Graph({ multigraph: true })
  plan.setGraph({ rankdir: 'LR', ranksep: columnGap, nodesep: rowGap, edgesep: rowGap / 2 })
  plan.setDefaultEdgeLabel(() => ({}))
  for (const node of graph.nodes) {
    plan.setNode(node.id, { width: cardWidth, height: cardHeight(handlesOf(node), false) })
  }
  const order = createOrder()
  const bySource = Map.groupBy(
    graph.edges.filter(({ source, target }) => plan.hasNode(source) && plan.hasNode(target)),
    ({ source }) => source,
  )
  for (const node of graph.nodes) {
    const edges = byOutput(node, bySource.get(node.id) ?? [])
    for (const { id, source, target } of edges) plan.setEdge(source, target, {}, id)
    for (const [index, { target }] of edges.entries()) {
      const previous = edges[index - 1]
      if (previous) order.add(previous.target, target)
    }
  }
  dagre.layout(plan, { constraints: order.constraints() })
  const nodes = graph.nodes.map((node) => {
    const { x, y, height } = plan.node(node.id) as { x: number; y: number; height: number }
    return { ...node, position: { x: Math.round(x - cardWidth / 2), y: Math.round(y - height / 2) } }
  })
  return { ...graph, nodes }
}

/** Graphs created through the API often leave every node at the same position. */
export const hasNoLayout = ({ nodes: [first, ...rest] }: Graph): boolean =>
  first !== undefined &&
  rest.length > 0 &&
  rest.every(({ position }) => position.x === first.position.x && position.y === first.position.y)

export const withLayout = (graph: Graph): Graph => (hasNoLayout(graph) ? layOut(graph) : graph)
