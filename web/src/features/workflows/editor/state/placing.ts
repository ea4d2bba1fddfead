/** Finds a position for a new node: beside the node it follows, without overlapping. */
import type { Graph } from '@chancery/contract/workflow-graph.ts'
import { cardHeight, cardWidth } from '../../graph/card-size.ts'
import { handlesOf } from '../../graph/node-kinds.ts'
import type { Point } from './graph-edits.ts'

const gap = { x: 64, y: 24 }

/** The first unconnected output, else the first output. */
export function nextWay(graph: Graph, nodeId: string): string | null | undefined {
  const node = graph.nodes.find(({ id }) => id === nodeId)
  if (!node) return undefined
  const used = new Set(graph.edges.filter(({ source }) => source === nodeId).map((edge) => edge.source_handle || null))
  const ways = handlesOf(node)
  return ways.find((way) => !used.has(way)) ?? ways[0]
}

export function placeAfter(graph: Graph, nodeId: string): Point {
  const before = graph.nodes.find(({ id }) => id === nodeId)
  if (!before) return { x: 0, y: 0 }
  return freePlace(graph, { x: before.position.x + cardWidth + gap.x, y: before.position.y })
}

/** The requested position, or the next free one below it. */
export function freePlace(graph: Graph, wish: Point): Point {
  let { y } = wish
  for (let tries = 0; tries < graph.nodes.length + 1; tries += 1) {
    const inTheWay = graph.nodes.find((node) => overlaps(node.position, cardHeight(handlesOf(node), false), wish.x, y))
    if (!inTheWay) break
    y = inTheWay.position.y + cardHeight(handlesOf(inTheWay), false) + gap.y
  }
  return { x: wish.x, y }
}

const newHeight = 60

const overlaps = (place: Point, height: number, x: number, y: number): boolean =>
  Math.abs(place.x - x) < cardWidth && y < place.y + height && place.y < y + newHeight
