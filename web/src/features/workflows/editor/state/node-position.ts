/** Finds a position for a new node: beside the node it follows, without overlapping. */
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import { cardHeight, cardWidth } from '../../graph/card-size.ts'
import { handlesOf } from '../../kinds/node-kinds.ts'
import type { Point } from './graph-edits.ts'

const gap = { x: 64, y: 24 }

/** The first unconnected output, else the first output. */
export function freeOutput(graph: Graph, nodeId: string): string | null | undefined {
  const node = graph.nodes.find(({ id }) => id === nodeId)
  if (!node) return undefined
  const used = new Set(graph.edges.filter(({ source }) => source === nodeId).map((edge) => edge.source_handle || null))
  const outputs = handlesOf(node)
  return outputs.find((way) => !used.has(way)) ?? outputs[0]
}

export function positionAfter(graph: Graph, nodeId: string): Point {
  const before = graph.nodes.find(({ id }) => id === nodeId)
  if (!before) return { x: 0, y: 0 }
  return freePosition(graph, { x: before.position.x + cardWidth + gap.x, y: before.position.y })
}

/** The requested position, or the next free one below it. */
export function freePosition(graph: Graph, wish: Point): Point {
  let { y } = wish
  for (let tries = 0; tries < graph.nodes.length + 1; tries += 1) {
    const overlapped = graph.nodes.find((node) =>
      overlaps(node.position, cardHeight(handlesOf(node), false), wish.x, y),
    )
    if (!overlapped) break
    y = overlapped.position.y + cardHeight(handlesOf(overlapped), false) + gap.y
  }
  return { x: wish.x, y }
}

const newHeight = 60

const overlaps = (position: Point, height: number, x: number, y: number): boolean =>
  Math.abs(position.x - x) < cardWidth && y < position.y + height && position.y < y + newHeight
