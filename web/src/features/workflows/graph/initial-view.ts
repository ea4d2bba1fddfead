/**
 * The initial view of a graph: all of it if the cards stay readable, else as much as is readable around what matters.
 * Pure.
 */
import type { GraphNode } from '@chancery/contract/workflow-graph.ts'
import type { NodeMark, Tone } from './marks.ts'

/** Below this zoom the names on cards are too small to read. */
export const readableZoom = 0.65
const largestZoom = 1
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

/** `around` is what must be visible; without it the view starts at the beginning of the graph. */
export function initialView(boxes: readonly Box[], frame: Frame, around: string | undefined): View | undefined {
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

/** Centred if it fits; else centred on what matters, without empty space at either end. */
function offsetOf({ start, size }: Span, frame: { size: number; zoom: number; middle: number }): number {
  const { zoom, middle } = frame
  if (size * zoom <= frame.size - 2 * margin) return frame.size / 2 - (start + size / 2) * zoom
  const [least, most] = [frame.size - margin - (start + size) * zoom, margin - start * zoom]
  return Math.min(most, Math.max(least, frame.size / 2 - middle * zoom))
}

/** States in order of priority. */
const priority: readonly Tone[] = ['running', 'waiting', 'failed', 'changed', 'added', 'removed']

/** The node a reader came for, if none is selected: where the run is, or the first change. */
export function nodeToFocus(nodes: readonly GraphNode[], marks: ReadonlyMap<string, NodeMark>): string | undefined {
  const fromLeft = nodes.toSorted((one, other) => one.position.x - other.position.x)
  const rankOf = ({ id }: GraphNode) => priority.indexOf(marks.get(id)?.tone ?? 'faded')
  const found = fromLeft.filter((node) => rankOf(node) >= 0)
  // All changes in a comparison are equal; in a run, active nodes come first.
  return found.toSorted((one, other) => Math.min(3, rankOf(one)) - Math.min(3, rankOf(other)))[0]?.id
}
