/** Draws rows on pages of their paper, with page numbers, and tells where fields go. */
import { ops, type PDF, type PDFPage } from '@libpdf/core'
import { type PlacedRow, paginate } from '../draw/certificate/paginate.ts'
import { createTextPen, type EmbeddedFonts, type TextPen } from '../draw/draw-text.ts'
import { packStream } from '../draw/pack-stream.ts'
import { textFonts } from '../draw/text/fonts.ts'
import { startsRight } from '../draw/text/visual-order.ts'
import type { TaggedField, TextToWrite } from '../interface.ts'
import { resolverOf } from '../read/page-attributes.ts'
import { type Block, plain, type Style } from './blocks.ts'
import type { Run } from './fill-in.ts'
import { type FlowRow, layOut, type Stroke } from './lay-out.ts'

type Operator = ReturnType<typeof ops.beginText>

const papers = { A4: { width: 595, height: 842 }, LETTER: { width: 612, height: 792 } }
const margin = { side: 62, top: 62, bottom: 66 }
const mostPages = 300

/** Undefined: they are too many pages. */
export const drawPages = (
  pdf: PDF,
  { blocks, paper: kind }: { blocks: readonly Block<Run>[]; paper: TextToWrite['paper'] },
): TaggedField[] | undefined => {
  const paper = papers[kind]
  const penOf = createPens(pdf)
  const room = paper.height - margin.top - margin.bottom
  const sections = layOut(blocks, {
    width: paper.width - 2 * margin.side,
    room,
    measure: (text, style, size) => penOf(style).widthOf(text, size),
    startsRight,
  })
  const pages = sections.flatMap((rows) => paginate(rows, room))
  if (pages.length > mostPages) return undefined
  return pages.flatMap((rows, index) => {
    const page = pdf.addPage(paper)
    const number = pages.length > 1 ? `${index + 1} / ${pages.length}` : ''
    page.drawOperators([
      ops.pushGraphicsState(),
      ...rows.flatMap((placed) => strokesOf(placed, paper.height)),
      ...rows.flatMap((placed) => inkOf(penOf, page, { placed, height: paper.height })),
      ...numberOf(penOf(plain), page, { number, paper }),
      ops.popGraphicsState(),
    ])
    packStream(page.dict.get('Contents', resolverOf(pdf)))
    return rows.flatMap((placed) => fieldsOf(placed, index + 1, paper))
  })
}

type PenOf = (style: Style) => TextPen

/** One for each look, made when it is first needed. */
const createPens = (pdf: PDF): PenOf => {
  const pens = new Map<number, TextPen>()
  const embedded: EmbeddedFonts = new Map()
  return ({ isBold, isItalic, isMono }) => {
    const index = isMono ? 4 : (isBold ? 1 : 0) + (isItalic ? 2 : 0)
    const files = textFonts[index]
    const pen = pens.get(index) ?? createTextPen(pdf, { embedded, ...(files && { files }) })
    pens.set(index, pen)
    return pen
  }
}

const inkOf = (
  penOf: PenOf,
  page: PDFPage,
  { placed: { row, top }, height }: { placed: PlacedRow<FlowRow>; height: number },
): Operator[] =>
  row.ink.length === 0
    ? []
    : [
        ops.beginText(),
        ...row.ink.flatMap(({ text, style, x, y, size }) =>
          penOf(style).line(page, { text, x: margin.side + x, y: height - margin.top - top - y, size }),
        ),
        ops.endText(),
      ]

const strokesOf = ({ row, top }: PlacedRow<FlowRow>, height: number): Operator[] =>
  row.strokes.flatMap(({ x, y, width, height: down, gray }: Stroke) => {
    const from = { x: margin.side + x, y: height - margin.top - top - y }
    return [
      ops.setStrokingGray(gray),
      ops.setLineWidth(down > 0 && width === 0 && gray > 0.7 ? 2 : 0.6),
      ops.moveTo(from.x, from.y),
      ops.lineTo(from.x + width, from.y - down),
      ops.stroke(),
    ]
  })

const numberSize = 8

const numberOf = (
  pen: TextPen,
  page: PDFPage,
  { number, paper }: { number: string; paper: { width: number } },
): Operator[] =>
  number === ''
    ? []
    : [
        ops.setNonStrokingGray(0.42),
        ops.beginText(),
        ...pen.line(page, {
          text: number,
          x: (paper.width - pen.widthOf(number, numberSize)) / 2,
          y: 34,
          size: numberSize,
        }),
        ops.endText(),
      ]

const fieldsOf = (
  { row, top }: PlacedRow<FlowRow>,
  page: number,
  paper: { width: number; height: number },
): TaggedField[] =>
  row.rooms.map(({ tag, x, y, width, height }) => ({
    ...tag,
    page,
    x: (margin.side + x) / paper.width,
    y: (margin.top + top + y) / paper.height,
    width: width / paper.width,
    height: height / paper.height,
  }))
