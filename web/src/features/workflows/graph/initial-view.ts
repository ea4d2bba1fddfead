/**
 * The initial view of a graph: all of it if the cards stay readable, else as much as is readable around what matters.
 * Pure.
 */
import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import type { NodeMark, Tone } from './marks.ts'

/** Below this zoom the names on cards are too small to read. */
export const readableZoom = 0.65
/** To read a run or a comparison all of it matters more than the names, down to this zoom. */
export const overviewZoom = 0.33
const largestZoom = 1
/** Several changes are shown together down to this zoom; the cards are recognizable by their colours. */
const smallestZoom = 0.3
const padding = 0.15
/** Margin before the first card if not everything fits. */
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

interface Wish {
  /** Nodes that must be visible; without any, the view starts at the beginning of the graph. */
  around: readonly string[]
  /** The whole graph is shown down to this zoom. */
  wholeFrom?: number | undefined
}

export function initialView(
  boxes: readonly Box[],
  frame: Frame,
  { around, wholeFrom = readableZoom }: Wish,
): View | undefined {
  const [first, ...rest] = boxes
  if (!first || frame.width === 0 || frame.height === 0) return undefined
  const wanted = boxes.filter(({ id }) => around.includes(id))
  const anchors = wanted.length > 0 ? wanted : [rest.reduce((left, box) => (box.x < left.x ? box : left), first)]
  const least = Math.min(readableZoom, Math.max(smallestZoom, zoomToFit(anchors, frame)))
  const tight = Math.min(
    readableZoom,
    zoomWithin(boxes, { width: frame.width - 2 * margin, height: frame.height - 2 * margin }),
  )
  const zoom = Math.min(largestZoom, Math.max(zoomToFit(boxes, frame), tight >= wholeFrom ? tight : least))
  return {
    x: offsetOf(spanOf(boxes, 'x', 'width'), { size: frame.width, zoom, middle: middleOf(anchors, 'x', 'width') }),
    y: offsetOf(spanOf(boxes, 'y', 'height'), { size: frame.height, zoom, middle: middleOf(anchors, 'y', 'height') }),
    zoom,
  }
}

const zoomWithin = (boxes: readonly Box[], frame: Frame): number =>
  Math.min(frame.width / spanOf(boxes, 'x', 'width').size, frame.height / spanOf(boxes, 'y', 'height').size)

const zoomToFit = (boxes: readonly Box[], frame: Frame): number => zoomWithin(boxes, frame) / (1 + 2 * padding)

const middleOf = (boxes: readonly Box[], from: 'x' | 'y', size: 'width' | 'height'): number => {
  const span = spanOf(boxes, from, size)
  return span.start + span.size / 2
}

interface Span {
  start: number
  size: number
}

function spanOf(boxes: readonly Box[], from: 'x' | 'y', size: 'width' | 'height'): Span {
  const start = Math.min(...boxes.map((box) => box[from]))
  return { start, size: Math.max(...boxes.map((box) => box[from] + box[size])) - start }
}

/** Centred if it fits; else centred on what matters, without empty space at either end. */
function offsetOf({ start, size }: Span, frame: { size: number; zoom: number; middle: number }): number {
  const { zoom, middle } = frame
  if (size * zoom <= frame.size - 2 * margin) return frame.size / 2 - (start + size / 2) * zoom
  const [least, most] = [frame.size - margin - (start + size) * zoom, margin - start * zoom]
  return Math.min(most, Math.max(least, frame.size / 2 - middle * zoom))
}

/** States in order of priority. */
const priority: readonly Tone[] = ['running', 'waiting', 'failed', 'changed', 'added', 'removed']

const changed = priority.indexOf('changed')

/** The nodes a reader came for, if none is selected: where the run is, or all changes of a comparison. */
export function nodesToFocus(nodes: readonly GraphNode[], marks: ReadonlyMap<string, NodeMark>): string[] {
  const rankOf = ({ id }: GraphNode) => priority.indexOf(marks.get(id)?.tone ?? 'faded')
  const found = nodes
    .filter((node) => rankOf(node) >= 0)
    .toSorted(
      (one, other) =>
        Math.min(changed, rankOf(one)) - Math.min(changed, rankOf(other)) || one.position.x - other.position.x,
    )
  const [first] = found
  return (first && rankOf(first) < changed ? [first] : found).map(({ id }) => id)
}
