/** Positions on a page as a person sees it: cropped, turned, measured from the top left corner. Pure. */

/** In points, lower left and upper right corner. */
export interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}

export type Rotation = 0 | 90 | 180 | 270

export interface VisiblePage {
  /** The visible part in the page's own coordinates. */
  box: Box
  /** The clockwise turn of the page in viewers. */
  rotation: Rotation
}

/** Fractions of the visible page, from its top left corner. */
export interface Fractions {
  x: number
  y: number
  width: number
  height: number
}

/** `[a b c d e f]` as in the PDF operator `cm`. */
export type PageMatrix = readonly [number, number, number, number, number, number]

const letter: Box = { x0: 0, y0: 0, x1: 612, y1: 792 }

/** The corners may come in any order. */
export const boxOf = (numbers: readonly number[]): Box | undefined => {
  const [a, b, c, d] = numbers
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined
  if (![a, b, c, d].every(Number.isFinite) || a === c || b === d) return undefined
  return { x0: Math.min(a, c), y0: Math.min(b, d), x1: Math.max(a, c), y1: Math.max(b, d) }
}

/** The crop box as far as it lies on the page. A page without a usable size is US Letter, as in viewers. */
export const visibleBox = (media: Box | undefined, crop: Box | undefined): Box => {
  const sheet = media ?? letter
  if (!crop) return sheet
  const cut = {
    x0: Math.max(sheet.x0, crop.x0),
    y0: Math.max(sheet.y0, crop.y0),
    x1: Math.min(sheet.x1, crop.x1),
    y1: Math.min(sheet.y1, crop.y1),
  }
  return cut.x0 < cut.x1 && cut.y0 < cut.y1 ? cut : sheet
}

export const rotationOf = (degrees: number | undefined): Rotation => {
  const turned = ((Math.round((degrees ?? 0) / 90) % 4) + 4) % 4
  return ([0, 90, 180, 270] as const)[turned] ?? 0
}

export const visibleSize = ({ box, rotation }: VisiblePage): { width: number; height: number } => {
  const width = box.x1 - box.x0
  const height = box.y1 - box.y0
  return rotation === 90 || rotation === 270 ? { width: height, height: width } : { width, height }
}

/** Leads from the page as it is seen (lower left corner, upwards) to the page's own coordinates. */
export const toPage = ({ box, rotation }: VisiblePage): PageMatrix => {
  const { x0, y0, x1, y1 } = box
  if (rotation === 90) return [0, 1, -1, 0, x1, y0]
  if (rotation === 180) return [-1, 0, 0, -1, x1, y1]
  if (rotation === 270) return [0, -1, 1, 0, x0, y1]
  return [1, 0, 0, 1, x0, y0]
}

/** The other way: what a rectangle in the page's coordinates is on the page as it is seen. */
export const toFractions = (page: VisiblePage, rect: Box): Fractions => {
  const [a, b, c, d, e, f] = toPage(page)
  const { width, height } = visibleSize(page)
  // The matrix only turns and moves, so its inverse is its transpose.
  const seen = [
    [rect.x0 - e, rect.y0 - f],
    [rect.x1 - e, rect.y1 - f],
  ].map(([x = 0, y = 0]) => [a * x + b * y, c * x + d * y] as const)
  const xs = seen.map(([x]) => x)
  const ys = seen.map(([, y]) => y)
  return {
    x: Math.min(...xs) / width,
    y: 1 - Math.max(...ys) / height,
    width: (Math.max(...xs) - Math.min(...xs)) / width,
    height: (Math.max(...ys) - Math.min(...ys)) / height,
  }
}

/** In points of the page as it is seen, from its lower left corner. */
export const toSeen = (page: VisiblePage, { x, y, width, height }: Fractions): Fractions => {
  const size = visibleSize(page)
  return {
    x: x * size.width,
    y: (1 - y - height) * size.height,
    width: width * size.width,
    height: height * size.height,
  }
}

const nowhere: Box = { x0: 0, y0: 0, x1: 0, y1: 0 }

/** What fractions of the page as it is seen are in the page's own coordinates. */
export const boxOnPage = (page: VisiblePage, fractions: Fractions): Box => {
  const { x, y, width, height } = toSeen(page, fractions)
  const [a, b, c, d, e, f] = toPage(page)
  const [right, top] = [x + width, y + height]
  const corners = [a * x + c * y + e, b * x + d * y + f, a * right + c * top + e, b * right + d * top + f]
  return boxOf(corners) ?? nowhere
}
