/** Text that flows down A4 pages at the end of a document: headings, pairs and paragraphs. */
import { ops, type PDF, type PDFPage } from '@libpdf/core'
import type { TextLine, TextPen } from './draw-text.ts'

const paper = { width: 595, height: 842 }
const margin = 50
const labelWidth = 110

export interface FlowPage {
  heading(text: string, size?: number): void
  /** Nothing is written for an empty value. */
  pair(label: string, value: string | null): void
  paragraph(text: string, size?: number): void
  gap(points?: number): void
}

export const createFlowPage = (pdf: PDF, pen: TextPen): FlowPage => {
  let page: PDFPage | undefined
  let top = 0

  /** The page, with room for a line of this height below `top`. */
  const pageFor = (height: number): PDFPage => {
    if (page && top - height >= margin) return page
    page = pdf.addPage(paper)
    top = paper.height - margin
    return page
  }
  const draw = (target: PDFPage, line: TextLine, isBold = false): void =>
    target.drawOperators([
      ops.pushGraphicsState(),
      ops.beginText(),
      // A second font would make every sealed file larger and slower to make: outlined letters are bold enough.
      ...(isBold ? [ops.setTextRenderMode(2), ops.setLineWidth(line.size / 30)] : []),
      ...pen.line(target, line),
      ops.endText(),
      ops.popGraphicsState(),
    ])
  const write = (
    lines: readonly string[],
    { isBold = false, ...at }: { x: number; size: number; isBold?: boolean },
  ): void => {
    for (const text of lines) {
      const height = at.size * 1.35
      const target = pageFor(height)
      top -= height
      draw(target, { text, y: top + at.size * 0.3, ...at }, isBold)
    }
  }

  return {
    heading(text, size = 11) {
      pageFor(size * 4)
      top -= size * 0.6
      write(pen.wrap(text, size, paper.width - 2 * margin), { x: margin, size, isBold: true })
      top -= size * 0.2
    },
    pair(label, value) {
      if (value === null || value === '') return
      const size = 8
      const lines = pen.wrap(value, size, paper.width - 2 * margin - labelWidth)
      const [first = '', ...rest] = lines
      const target = pageFor(size * 1.35)
      const y = top - size * 1.35 + size * 0.3
      draw(target, { text: label, x: margin, y, size }, true)
      write([first, ...rest], { x: margin + labelWidth, size })
    },
    paragraph(text, size = 8) {
      write(pen.wrap(text, size, paper.width - 2 * margin), { x: margin, size })
    },
    gap(points = 6) {
      top -= points
    },
  }
}
