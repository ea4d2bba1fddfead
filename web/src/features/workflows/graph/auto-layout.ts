/** Lays out a graph from left to right, without overlapping cards. */

import type { Graph } from '@chancery/contract/workflow-graph.ts'
import dagre from '@dagrejs/dagre'
import { cardHeight, cardWidth } from './card-size.ts'
import { handlesOf } from './node-kinds.ts'

const columnGap = 72
const rowGap = 36

export function layOut(graph: Graph): Graph {
  const plan = new dagre.graphlib.Graph({ multigraph: true })
  plan.setGraph({ rankdir: 'LR', ranksep: columnGap, nodesep: rowGap, edgesep: rowGap / 2 })
  plan.setDefaultEdgeLabel(() => ({}))
  for (const node of graph.nodes) {
    plan.setNode(node.id, { width: cardWidth, height: cardHeight(handlesOf(node), false) })
  }
  for (const { id, source, target } of graph.edges) {
    if (plan.hasNode(source) && plan.hasNode(target)) plan.setEdge(source, target, {}, id)
  }
  dagre.layout(plan)
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
