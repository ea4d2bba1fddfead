/** Pure. Boxes on a page as parts of its width and height: moving, resizing, snapping, aligning. */

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Move {
  dx: number
  dy: number
}

/** The smallest side of a field. */
const smallest = 0.008

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), Math.max(least, most))

/** Inside the page, as large as it is. */
export function insidePage(box: Box): Box {
  const [width, height] = [Math.min(box.width, 1), Math.min(box.height, 1)]
  return { x: clamp(box.x, 0, 1 - width), y: clamp(box.y, 0, 1 - height), width, height }
}

/** Shortens a move so that no box of the group leaves the page. */
export function limitMove(boxes: readonly Box[], { dx, dy }: Move): Move {
  if (boxes.length === 0) return { dx: 0, dy: 0 }
  const left = Math.min(...boxes.map(({ x }) => x))
  const top = Math.min(...boxes.map(({ y }) => y))
  const right = Math.max(...boxes.map(({ x, width }) => x + width))
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height))
  return { dx: clamp(dx, -left, 1 - right), dy: clamp(dy, -top, 1 - bottom) }
}

export const moved = <Each extends Box>(box: Each, { dx, dy }: Move): Each => ({ ...box, x: box.x + dx, y: box.y + dy })

export type Corner = 'nw' | 'ne' | 'sw' | 'se'

/** Drags one corner; the opposite one stays. */
export function resized(box: Box, corner: Corner, { dx, dy }: Move): Box {
  const right = box.x + box.width
  const bottom = box.y + box.height
  const x = corner.endsWith('w') ? clamp(box.x + dx, 0, right - smallest) : box.x
  const y = corner.startsWith('n') ? clamp(box.y + dy, 0, bottom - smallest) : box.y
  return {
    x,
    y,
    width: corner.endsWith('e') ? clamp(box.width + dx, smallest, 1 - box.x) : right - x,
    height: corner.startsWith('s') ? clamp(box.height + dy, smallest, 1 - box.y) : bottom - y,
  }
}

export interface Snap extends Move {
  /** Lines to show: positions across and down the page. */
  vertical: number[]
  horizontal: number[]
}

const acrossOf = ({ x, width }: Box) => [x, x + width / 2, x + width]
const downOf = ({ y, height }: Box) => [y, y + height / 2, y + height]

function nearest(own: readonly number[], targets: readonly number[], within: number) {
  let best: { by: number; line: number } | undefined
  for (const line of targets) {
    for (const edge of own) {
      const by = line - edge
      if (Math.abs(by) <= within && (best === undefined || Math.abs(by) < Math.abs(best.by))) best = { by, line }
    }
  }
  return best
}

/** Pulls a box to the edges and middles of others, and to the middle of the page. `within` is the reach on each axis. */
export function snap(box: Box, others: readonly Box[], within: { x: number; y: number }): Snap {
  const across = nearest(acrossOf(box), [0.5, ...others.flatMap(acrossOf)], within.x)
  const down = nearest(downOf(box), others.flatMap(downOf), within.y)
  return {
    dx: across?.by ?? 0,
    dy: down?.by ?? 0,
    vertical: across ? [across.line] : [],
    horizontal: down ? [down.line] : [],
  }
}

export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom'

/** Lines boxes up with the outermost of them, or with the middle of all. */
export function aligned<Each extends Box>(boxes: readonly Each[], to: Alignment): Each[] {
  const left = Math.min(...boxes.map(({ x }) => x))
  const top = Math.min(...boxes.map(({ y }) => y))
  const right = Math.max(...boxes.map(({ x, width }) => x + width))
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height))
  const align: Record<Alignment, (box: Each) => Partial<Box>> = {
    left: () => ({ x: left }),
    center: ({ width }) => ({ x: (left + right - width) / 2 }),
    right: ({ width }) => ({ x: right - width }),
    top: () => ({ y: top }),
    middle: ({ height }) => ({ y: (top + bottom - height) / 2 }),
    bottom: ({ height }) => ({ y: bottom - height }),
  }
  return boxes.map((box) => ({ ...box, ...align[to](box) }))
}

export const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** The box between two corners, in any direction. */
export const boxBetween = (one: { x: number; y: number }, other: { x: number; y: number }): Box => ({
  x: Math.min(one.x, other.x),
  y: Math.min(one.y, other.y),
  width: Math.abs(one.x - other.x),
  height: Math.abs(one.y - other.y),
})
