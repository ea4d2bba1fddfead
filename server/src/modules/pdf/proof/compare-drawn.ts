/** Proves by a second reader that a sealed file shows the pages that were signed, with nothing but the fields added. */
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { DrawnPage } from '../interface.ts'
import { boxOnPage } from '../read/page-geometry.ts'
import { staysInside } from './inside-boxes.ts'
import type { Operation } from './page-objects.ts'
import type { Proof } from './proven-pages.ts'
import { drawings, type FieldBox, hashPage, type PageDrawing, visiblePart } from './read-drawn.ts'
import type { ReaderOptions } from './second-reader.ts'

/** `forbidden`: where something is that may not stand in a sealed file. */
export type Comparison = { pages: number } | { page: number; why: Difference } | { forbidden: string }
export type Difference = 'missing' | 'content' | 'outside'

interface ComparisonOptions extends ReaderOptions {
  /** What the strict reader has proven already: these pages aren't read again. */
  proof?: Proof | undefined
}

/** Pages of the sealed file after those that are known, its certificate, are not looked at. */
export const compareDrawn = async (
  known: readonly DrawnPage[],
  sealed: Uint8Array,
  boxes: readonly FieldBox[],
  { isStrict, proof }: ComparisonOptions = { isStrict: true },
): Promise<Comparison> => {
  const byPage = Map.groupBy(boxes, ({ page }) => page)
  const left = new Map(
    known.flatMap((page, index) => (proof?.proven.has(index + 1) ? [] : [[index + 1, page] as const])),
  )
  if (left.size === 0) return { pages: known.length }
  const options = { isStrict, hasAnnotations: true, wanted: new Set(left.keys()), pages: proof?.pages }
  for await (const drawing of drawings(sealed, options)) {
    const original = left.get(drawing.number)
    const why = original && differenceOn(drawing, original, byPage.get(drawing.number) ?? [])
    if (why) return { page: drawing.number, why }
    left.delete(drawing.number)
  }
  const [missing] = left.keys()
  return missing === undefined ? { pages: known.length } : { page: missing, why: 'missing' }
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
  const places = boxes.map((box) => boxOnPage(visiblePart(drawing), box))
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
