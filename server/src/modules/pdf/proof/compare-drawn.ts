/** Proves by a second reader that a sealed file shows the pages that were signed, with nothing but the fields added. */
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { DrawnPage } from '../interface.ts'
import { type Box, boxOf, type Fractions, toPage, toSeen } from '../read/page-geometry.ts'
import { staysInside } from './inside-boxes.ts'
import type { Operation } from './page-objects.ts'
import { drawings, type FieldBox, hashPage, type PageDrawing, visiblePart } from './read-drawn.ts'
import type { ReaderOptions } from './second-reader.ts'

/** `forbidden`: where something is that may not stand in a sealed file. */
export type Comparison = { pages: number } | { page: number; why: Difference } | { forbidden: string }
export type Difference = 'missing' | 'content' | 'outside'

/** Pages of the sealed file after those that are known, its certificate, are not looked at. */
export const compareDrawn = async (
  known: readonly DrawnPage[],
  sealed: Uint8Array,
  boxes: readonly FieldBox[],
  options: ReaderOptions = { isStrict: true },
): Promise<Comparison> => {
  const byPage = Map.groupBy(boxes, ({ page }) => page)
  let pages = 0
  for await (const drawing of drawings(sealed, { ...options, hasAnnotations: true })) {
    const original = known[pages]
    if (!original) break
    pages += 1
    const why = differenceOn(drawing, original, byPage.get(pages) ?? [])
    if (why) return { page: pages, why }
  }
  return pages === known.length ? { pages } : { page: pages + 1, why: 'missing' }
}

const differenceOn = (
  drawing: PageDrawing,
  original: DrawnPage,
  boxes: readonly FieldBox[],
): Difference | undefined => {
  const start = startsOf(drawing.operations, original).find(
    (at) => hashPage(drawing, drawing.operations.slice(at, at + original.operations)) === original.sha256,
  )
  if (start === undefined) return 'content'
  const rest = start + original.operations
  const places = boxes.map((box) => placeOf(drawing, box))
  return staysInside(drawing.operations, rest, places) ? undefined : 'outside'
}

/** What is added is drawn after a page that is put between `q` and `Q`; forms, notes and fields each do so. */
const maxWraps = 3

const startsOf = (operations: readonly Operation[], { operations: count }: DrawnPage): number[] => {
  const starts = [0]
  for (let at = 1; at <= maxWraps && operations[at - 1]?.fn === OPS.save; at += 1)
    if (operations[at + count]?.fn === OPS.restore) starts.unshift(at)
  return starts
}

const placeOf = (drawing: PageDrawing, fractions: Fractions): Box => {
  const page = visiblePart(drawing)
  const { x, y, width, height } = toSeen(page, fractions)
  const [a, b, c, d, e, f] = toPage(page)
  const [right, top] = [x + width, y + height]
  const corners = [a * x + c * y + e, b * x + d * y + f, a * right + c * top + e, b * right + d * top + f]
  return boxOf(corners) ?? nowhere
}

const nowhere: Box = { x0: 0, y0: 0, x1: 0, y1: 0 }
