/** Text that flows down A4 pages at the end of a document: headings, pairs and paragraphs. */
import { ops, type PDF, type PDFPage } from '@libpdf/core'
import type { TextPen } from './draw-text.ts'
import type { FontStyle } from './text/fonts.ts'

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
  const write = (lines: readonly string[], at: { x: number; size: number; style?: FontStyle }): void => {
    for (const text of lines) {
      const height = at.size * 1.35
      const target = pageFor(height)
      top -= height
      const line = pen.line(target, { text, y: top + at.size * 0.3, ...at })
      target.drawOperators([ops.beginText(), ...line, ops.endText()])
    }
  }

  return {
    heading(text, size = 11) {
      pageFor(size * 4)
      top -= size * 0.6
      write(pen.wrap(text, size, paper.width - 2 * margin, 'bold'), { x: margin, size, style: 'bold' })
      top -= size * 0.2
    },
    pair(label, value) {
      if (value === null || value === '') return
      const size = 8
      const lines = pen.wrap(value, size, paper.width - 2 * margin - labelWidth)
      const [first = '', ...rest] = lines
      const target = pageFor(size * 1.35)
      const y = top - size * 1.35 + size * 0.3
      target.drawOperators([
        ops.beginText(),
        ...pen.line(target, { text: label, x: margin, y, size, style: 'bold' }),
        ops.endText(),
      ])
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
