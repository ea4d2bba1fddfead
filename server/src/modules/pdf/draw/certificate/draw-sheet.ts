/** Draws the rows of a certificate on pages at the end of a document, each page with its number. */
import { ops, type PDF, type PDFPage } from '@libpdf/core'
import { resolverOf } from '../../read/page-attributes.ts'
import type { TextPen } from '../draw-text.ts'
import { packStream } from '../pack-stream.ts'
import { type PlacedRow, type PlacedText, paginate } from './paginate.ts'
import { margin, paper, type Sheet } from './sheet.ts'

type Operator = ReturnType<typeof ops.beginText>

export interface Footer {
  left: string
  right(page: number, pages: number): string
}

/** From the top of the page's text to the line at its foot. */
const footTop = paper.height - margin.top - 40

export const drawSheet = (pdf: PDF, pen: TextPen, { sheet, footer }: { sheet: Sheet; footer: Footer }): void => {
  const pages = paginate(sheet.rows, paper.height - margin.top - margin.bottom)
  for (const [index, rows] of pages.entries()) {
    const page = pdf.addPage(paper)
    const foot = sheet.footer(footer.left, footer.right(index + 1, pages.length))
    // One piece of content for each page: every piece would be a stream of its own.
    page.drawOperators([
      ops.pushGraphicsState(),
      ...rows.flatMap((placed) => ruleOf(placed)),
      ...rows.flatMap(({ row, top }) => row.texts.flatMap((text) => textAt(pen, page, { text, top }))),
      ...foot.flatMap((text) => textAt(pen, page, { text, top: footTop })),
      ops.popGraphicsState(),
    ])
    packStream(page.dict.get('Contents', resolverOf(pdf)))
  }
}

const ruleOf = ({ row: { rule, height }, top }: PlacedRow): Operator[] => {
  if (!rule) return []
  return [
    ops.setStrokingGray(rule.gray),
    ops.setLineWidth(0.5),
    ops.moveTo(margin.side + rule.x, fromTop(top + height)),
    ops.lineTo(margin.side + rule.x + rule.width, fromTop(top + height)),
    ops.stroke(),
  ]
}

const textAt = (pen: TextPen, page: PDFPage, { text, top }: { text: PlacedText; top: number }): Operator[] => [
  ops.setNonStrokingGray(text.gray),
  ops.setStrokingGray(text.gray),
  ops.beginText(),
  // A second font would make every sealed file larger and slower to make: outlined letters are bold enough.
  ops.setTextRenderMode(text.isBold ? 2 : 0),
  ops.setLineWidth(text.size / 30),
  ...pen.line(page, { text: text.text, size: text.size, x: margin.side + text.x, y: fromTop(top + text.y) }),
  ops.endText(),
]

const fromTop = (y: number): number => paper.height - margin.top - y
