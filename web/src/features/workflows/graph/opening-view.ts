/**
 * Where a look at a graph begins: with the whole of it, unless its cards could not be read then; with as much as can be
 * read around what matters, else. Pure.
 */
import type { GraphNode } from '@chancery/contract/workflow-graph.ts'
import type { NodeMark, Tone } from './marks.ts'

/** Names on cards are smaller than a reader's eyes below this. */
export const readableZoom = 0.65
const largestZoom = 1
const padding = 0.15
/** Between the edge of the frame and the first card, where not all fit. */
const margin = 32

interface Box {
  id: string
  x: number
  y: number
  width: number
  height: number
}

interface Frame {
  width: number
  height: number
}

interface View {
  x: number
  y: number
  zoom: number
}

/** `around` is what must be seen; without it the graph is looked at from its beginning. */
export function openingView(boxes: readonly Box[], frame: Frame, around: string | undefined): View | undefined {
  const [first, ...rest] = boxes
  if (!first || frame.width === 0 || frame.height === 0) return undefined
  const anchor =
    boxes.find(({ id }) => id === around) ?? rest.reduce((left, box) => (box.x < left.x ? box : left), first)
  const [across, down] = [spanOf(boxes, 'x', 'width'), spanOf(boxes, 'y', 'height')]
  const fitting = Math.min(frame.width / across.size, frame.height / down.size) / (1 + 2 * padding)
  const zoom = Math.min(largestZoom, Math.max(readableZoom, fitting))
  return {
    x: offsetOf(across, { size: frame.width, zoom, middle: anchor.x + anchor.width / 2 }),
    y: offsetOf(down, { size: frame.height, zoom, middle: anchor.y + anchor.height / 2 }),
    zoom,
  }
}

interface Span {
  start: number
  size: number
}

function spanOf(boxes: readonly Box[], from: 'x' | 'y', size: 'width' | 'height'): Span {
  const start = Math.min(...boxes.map((box) => box[from]))
  return { start, size: Math.max(...boxes.map((box) => box[from] + box[size])) - start }
}

/** In the middle where it fits; else what matters is, as far as no room is left empty at either end. */
function offsetOf({ start, size }: Span, frame: { size: number; zoom: number; middle: number }): number {
  const { zoom, middle } = frame
  if (size * zoom <= frame.size - 2 * margin) return frame.size / 2 - (start + size / 2) * zoom
  const [least, most] = [frame.size - margin - (start + size) * zoom, margin - start * zoom]
  return Math.min(most, Math.max(least, frame.size / 2 - middle * zoom))
}

/** What is looked for first, in this order. */
const striking: readonly Tone[] = ['running', 'waiting', 'failed', 'changed', 'added', 'removed']

/** Where a run is, or where the first change is: what a reader came for, as far as nobody chose a node. */
export function strikingNode(nodes: readonly GraphNode[], marks: ReadonlyMap<string, NodeMark>): string | undefined {
  const fromLeft = nodes.toSorted((one, other) => one.position.x - other.position.x)
  const rankOf = ({ id }: GraphNode) => striking.indexOf(marks.get(id)?.tone ?? 'faded')
  const found = fromLeft.filter((node) => rankOf(node) >= 0)
  // All changes of a comparison count alike; of a run, what goes on counts most.
  return found.toSorted((one, other) => Math.min(3, rankOf(one)) - Math.min(3, rankOf(other)))[0]?.id
}
