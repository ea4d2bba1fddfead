/** Tells what each page of a file draws, by a second reader, so that a later file can be compared with it. */
import { AnnotationMode } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { DrawnPage } from '../interface.ts'
import { boxOf, type Fractions, rotationOf, toFractions, type VisiblePage, visibleBox } from '../read/page-geometry.ts'
import { PdfRefusal } from '../read/refusal.ts'
import { hashOperations, type Surroundings } from './drawing-hash.ts'
import { loadObjects, type Operation, operationsIn } from './page-objects.ts'
import { openSecondReader, type ReaderOptions, refusal } from './second-reader.ts'

export const readDrawn = async (
  bytes: Uint8Array,
  options: ReaderOptions = { isStrict: true },
): Promise<DrawnPage[]> => {
  const drawn: DrawnPage[] = []
  for await (const page of drawings(bytes, { ...options, hasAnnotations: false }))
    drawn.push({ operations: page.operations.length, sha256: hashPage(page, page.operations) })
  return drawn
}

/** Where a page may show more than before. Pages from 1. */
export interface FieldBox extends Fractions {
  page: number
}

/**
 * Of a file from before uploads were prepared: what can't be read is left out, as signers saw it, and its forms and notes
 * become part of the page when it is sealed.
 */
export const readUnprepared = async (bytes: Uint8Array): Promise<{ drawn: DrawnPage[]; boxes: FieldBox[] }> => {
  const drawn: DrawnPage[] = []
  const boxes: FieldBox[] = []
  for await (const page of drawings(bytes, { isStrict: false, hasAnnotations: false })) {
    const number = drawn.push({ operations: page.operations.length, sha256: hashPage(page, page.operations) })
    const rects = (await page.annotations()).flatMap(({ rect }) => boxOf(rect as number[]) ?? [])
    boxes.push(...rects.map((rect) => ({ page: number, ...toFractions(visiblePart(page), rect) })))
  }
  return { drawn, boxes }
}

export const visiblePart = ({ frame }: Pick<PageDrawing, 'frame'>): VisiblePage => ({
  box: visibleBox(boxOf(frame.view), undefined),
  rotation: rotationOf(frame.rotate),
})

export interface PageDrawing {
  /** From 1. */
  number: number
  /** The visible part of the page, its turn and its unit. */
  frame: { view: readonly number[]; rotate: number; userUnit: number }
  operations: readonly Operation[]
  around: Surroundings
  annotations(): Promise<{ rect: unknown }[]>
}

/** Of a part of the page's operations. */
export const hashPage = ({ frame, around }: PageDrawing, operations: readonly Operation[]): string =>
  hashOperations(operations, around, frame)

interface DrawingOptions extends ReaderOptions {
  hasAnnotations: boolean
  /** Pages from 1; all without it. */
  wanted?: ReadonlySet<number>
  /** The object of each page as another reader has found them. Where this one finds others, there is no telling which is meant. */
  pages?: readonly number[] | undefined
}

/** One page after the other: what a page needs is let go with it. */
export async function* drawings(
  bytes: Uint8Array,
  { hasAnnotations, wanted, pages, ...options }: DrawingOptions,
): AsyncGenerator<PageDrawing> {
  const reader = await openSecondReader(bytes, options)
  try {
    const layers = await reader.pdf.getOptionalContentConfig()
    const annotationMode = hasAnnotations ? AnnotationMode.ENABLE : AnnotationMode.DISABLE
    if (pages && pages.length !== reader.pdf.numPages) throw otherPages()
    for (let number = 1; number <= reader.pdf.numPages; number += 1) {
      if (wanted && !wanted.has(number)) continue
      const page = await reader.pdf.getPage(number)
      if (pages && page.ref?.num !== pages[number - 1]) throw otherPages()
      const list = await page.getOperatorList({ annotationMode })
      reader.requireWhole()
      const around = { layers, objects: await loadObjects(page, list), isStrict: options.isStrict }
      const { view, rotate, userUnit } = page
      yield {
        number,
        frame: { view, rotate, userUnit },
        operations: operationsIn(list),
        around,
        annotations: () => page.getAnnotations(),
      }
      page.cleanup()
    }
  } catch (problem) {
    throw refusal(problem)
  } finally {
    await reader.close()
  }
}

const otherPages = () => new PdfRefusal('pdf_readers_disagree', 'The second reader finds other pages.')
