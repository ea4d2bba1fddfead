/** Finds whether operations draw outside of the boxes that they were given. Pure. */
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Box, PageMatrix } from '../read/page-geometry.ts'
import type { Operation } from './page-objects.ts'

interface State {
  matrix: PageMatrix
  /** Everything that is drawn now is cut off at the edges of a box. */
  isInside: boolean
}

/** They set what later operations use, and leave nothing on the page. All others draw, as do those that are not known. */
const silent = new Set<number>([
  OPS.setLineWidth,
  OPS.setLineCap,
  OPS.setLineJoin,
  OPS.setMiterLimit,
  OPS.setDash,
  OPS.setRenderingIntent,
  OPS.setFlatness,
  OPS.setGState,
  OPS.save,
  OPS.restore,
  OPS.transform,
  OPS.clip,
  OPS.eoClip,
  OPS.beginText,
  OPS.endText,
  OPS.setCharSpacing,
  OPS.setWordSpacing,
  OPS.setHScale,
  OPS.setLeading,
  OPS.setFont,
  OPS.setTextRenderingMode,
  OPS.setTextRise,
  OPS.moveText,
  OPS.setLeadingMoveText,
  OPS.setTextMatrix,
  OPS.nextLine,
  OPS.setStrokeRGBColor,
  OPS.setFillRGBColor,
  OPS.setStrokeColorN,
  OPS.setFillColorN,
  OPS.setStrokeTransparent,
  OPS.setFillTransparent,
  OPS.beginMarkedContent,
  OPS.beginMarkedContentProps,
  OPS.endMarkedContent,
  OPS.paintFormXObjectBegin,
  OPS.paintFormXObjectEnd,
  OPS.beginGroup,
  OPS.endGroup,
  OPS.beginAnnotation,
  OPS.endAnnotation,
])
const begins = new Set<number>([OPS.save, OPS.beginGroup, OPS.paintFormXObjectBegin, OPS.beginAnnotation])
const ends = new Set<number>([OPS.restore, OPS.endGroup, OPS.paintFormXObjectEnd, OPS.endAnnotation])

const unturned: PageMatrix = [1, 0, 0, 1, 0, 0]

/** True when nothing from the operation `from` on can be seen outside of the boxes. What comes before sets where they draw. */
export const staysInside = (operations: readonly Operation[], from: number, boxes: readonly Box[]): boolean => {
  const saved: State[] = []
  let state: State = { matrix: unturned, isInside: false }
  let isCutting = false

  const cutAt = (bounds: Bounds, matrix: Numbers | null = null): void => {
    const cut = bounds && placed(bounds, matrix ? product(state.matrix, matrix) : state.matrix)
    if (cut && boxes.some((box) => contains(box, cut))) state.isInside = true
  }
  const turn = (matrix: Numbers | null): void => {
    if (matrix) state.matrix = product(state.matrix, matrix)
  }

  for (const [index, { fn, args }] of operations.entries()) {
    const draws = fn === OPS.constructPath ? args[0] !== OPS.endPath : !silent.has(fn)
    if (draws && index >= from && !state.isInside) return false
    if (begins.has(fn)) {
      saved.push(state)
      state = { ...state }
    }
    if (ends.has(fn)) state = saved.pop() ?? state
    else if (fn === OPS.transform) turn(args as unknown as Numbers)
    else if (fn === OPS.clip || fn === OPS.eoClip) isCutting = true
    else if (fn === OPS.constructPath) {
      if (isCutting) cutAt(args[2] as Bounds)
      isCutting = false
    } else if (fn === OPS.beginGroup) {
      const { bbox, matrix } = args[0] as { bbox: Bounds; matrix: Numbers | null }
      cutAt(bbox, matrix)
    } else if (fn === OPS.paintFormXObjectBegin) {
      turn(args[0] as Numbers | null)
      cutAt(args[1] as Bounds)
    } else if (fn === OPS.beginAnnotation) {
      // It begins from the page, wherever the page's own operations ended.
      state = { matrix: unturned, isInside: false }
      cutAt(args[1] as Bounds)
      turn(args[2] as Numbers)
      turn(args[3] as Numbers)
    }
  }
  return true
}

type Numbers = ArrayLike<number>
type Bounds = Numbers | null | undefined

const product = ([a, b, c, d, e, f]: PageMatrix, other: Numbers): PageMatrix => {
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = Array.from(other)
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

/** The smallest upright box around the turned one. */
const placed = (bounds: Numbers, [a, b, c, d, e, f]: PageMatrix): Box => {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = Array.from(bounds)
  const corners = [
    [x0, y0],
    [x0, y1],
    [x1, y0],
    [x1, y1],
  ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const)
  const xs = corners.map(([x]) => x)
  const ys = corners.map(([, y]) => y)
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) }
}

/** A file's numbers are rounded; this is less than a printer shows. */
const tolerance = 0.02

const contains = (box: Box, { x0, y0, x1, y1 }: Box): boolean =>
  x0 >= box.x0 - tolerance && y0 >= box.y0 - tolerance && x1 <= box.x1 + tolerance && y1 <= box.y1 + tolerance
