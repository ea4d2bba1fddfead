/** Pure. Turns the points of a pen into a line of changing width, the way ink looks: slow is thick, fast is thin. */

export interface Point {
  x: number
  y: number
  /** Milliseconds. */
  at: number
  /** From 0 to 1 for pens that measure it; mice and most fingers report 0.5 or 0. */
  pressure: number
}

export interface Segment {
  from: { x: number; y: number }
  control: { x: number; y: number }
  to: { x: number; y: number }
  width: number
}

const thin = 1.2
const thick = 3.6
/** Pixels per millisecond at which the line is thinnest. */
const fast = 2.5
/** The part of the previous width that stays: without it the line would flicker. */
const inertia = 0.7

const between = (one: Point, other: Point) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 })
const isMeasured = ({ pressure }: Point) => pressure > 0 && pressure !== 0.5

function wantedWidth(before: Point, point: Point): number {
  if (isMeasured(point)) return thin + (thick - thin) * point.pressure
  const speed = Math.hypot(point.x - before.x, point.y - before.y) / Math.max(1, point.at - before.at)
  return thick - (thick - thin) * Math.min(1, speed / fast)
}

/** Curves through the middles between the points, each point being the control of its curve. */
export function segmentsOf(points: readonly Point[]): Segment[] {
  const [first] = points
  if (first === undefined) return []
  // A dot, as on an i.
  if (points.length === 1) return [{ from: first, control: first, to: { x: first.x + 0.1, y: first.y }, width: thick }]
  let width = (thin + thick) / 2
  return points.slice(1).map((point, index) => {
    const before = points[index] ?? first
    const from = index === 0 ? first : between(points[index - 1] ?? first, before)
    width = width * inertia + wantedWidth(before, point) * (1 - inertia)
    const isLast = index === points.length - 2
    return { from, control: before, to: isLast ? point : between(before, point), width }
  })
}

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const margin = 6

/** The smallest box around all strokes; undefined where nothing was drawn. */
export function boundsOf(strokes: readonly (readonly Point[])[]): Box | undefined {
  const points = strokes.flat()
  if (points.length === 0) return undefined
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin]
  return { left, top, width: Math.max(...xs) + margin - left, height: Math.max(...ys) + margin - top }
}
