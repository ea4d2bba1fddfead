/** The text of a PDF in lines, each cut into words and blanks to fill in. */
import type { PDF, PDFPage } from '@libpdf/core'
import { visiblePage } from './page-attributes.ts'
import { type Box, type Fractions, toFractions, type VisiblePage } from './page-geometry.ts'

/** A stretch of a line that is either text or a blank, such as `________`. Columns are stretches of their own. */
export interface LinePiece extends Fractions {
  text: string
  isBlank: boolean
}

export interface ReadLine {
  page: number
  pieces: LinePiece[]
}

const maxPages = 100
const maxLines = 5_000
const blank = /[_…]/

export const readLines = (pdf: PDF): ReadLine[] =>
  pdf
    .getPages()
    .slice(0, maxPages)
    .flatMap((page) => linesOn(page, visiblePage(pdf, page.dict)))
    .slice(0, maxLines)

/** Line by line; a page without text is empty. */
export const textOfPages = (pdf: PDF): string[] => {
  const pages = pdf.getPages().slice(0, maxPages)
  const texts = pages.map(() => [] as string[])
  for (const { page, pieces } of readLines(pdf)) texts[page - 1]?.push(pieces.map(({ text }) => text).join(''))
  return texts.map((lines) => lines.join('\n'))
}

/** The room between two columns is read as one wide space. */
const isGap = (char: string, { width, height }: { width: number; height: number }): boolean =>
  char.trim() === '' && width > 2 * height

const linesOn = (page: PDFPage, seen: VisiblePage): ReadLine[] =>
  page.extractText().lines.map(({ spans }) => {
    const pieces: { text: string; isBlank: boolean; box: Box }[] = []
    let isAfterGap = false
    for (const { char, bbox } of spans.flatMap(({ chars }) => chars)) {
      const box = { x0: bbox.x, y0: bbox.y, x1: bbox.x + bbox.width, y1: bbox.y + bbox.height }
      const last = pieces.at(-1)
      if (last && isGap(char, bbox)) {
        last.text += char
        isAfterGap = true
      } else if (last && !isAfterGap && last.isBlank === blank.test(char)) {
        last.text += char
        last.box = around(last.box, box)
      } else {
        pieces.push({ text: char, isBlank: blank.test(char), box })
        isAfterGap = false
      }
    }
    return {
      page: page.index + 1,
      pieces: pieces.map(({ text, isBlank, box }) => ({ text, isBlank, ...toFractions(seen, box) })),
    }
  })

const around = (one: Box, other: Box): Box => ({
  x0: Math.min(one.x0, other.x0),
  y0: Math.min(one.y0, other.y0),
  x1: Math.max(one.x1, other.x1),
  y1: Math.max(one.y1, other.y1),
})
