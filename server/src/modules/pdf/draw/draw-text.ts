/** Text as PDF operators: wrapped, joined, put into the order of drawing, each piece in the first font that has it. */
import { type EmbeddedFont, ops, type PDF, type PDFPage, PdfString } from '@libpdf/core'
import { joinLetters } from './text/arabic.ts'
import { drawableText, isSilent } from './text/drawable.ts'
import { fontFiles, fontOf, readFont } from './text/fonts.ts'
import { visualOrder } from './text/visual-order.ts'
import { wrapText } from './text/wrap.ts'

type Operator = ReturnType<typeof ops.beginText>

export interface TextLine {
  text: string
  x: number
  /** The position of the base line. */
  y: number
  size: number
}

export interface TextPen {
  /** The width of one line, in points. */
  widthOf(text: string, size: number): number
  /** Lines that are no wider than `width`. A word that is wider is broken. */
  wrap(text: string, size: number, width: number): string[]
  line(page: PDFPage, line: TextLine): Operator[]
}

/** A character in the first font that has it. */
interface Letter {
  font: EmbeddedFont
  /** At size 1. */
  width: number
  /** Two bytes. */
  glyph: readonly [number, number]
}

/** Pens of one document can share the fonts that were added to it. */
export type EmbeddedFonts = Map<string, EmbeddedFont>

/** Fonts are added to the document when they are first needed. */
export const createTextPen = (
  pdf: PDF,
  { files = fontFiles, embedded = new Map() }: { files?: readonly string[]; embedded?: EmbeddedFonts } = {},
): TextPen => {
  const letters = new Map<string, Letter>()
  const [fallback = ''] = files

  const makeLetter = (char: string): Letter => {
    const codePoint = char.codePointAt(0) ?? 0
    const path = fontOf(char, files) ?? fallback
    const font = embedded.get(path) ?? pdf.embedFont(readFont(path))
    embedded.set(path, font)
    // This also keeps the glyph in the part of the font that is saved.
    const [glyph = 0] = font.encodeTextToGids(char)
    return { font, width: font.getWidth(codePoint) / 1000, glyph: [glyph >> 8, glyph & 0xff] }
  }
  const letterOf = (char: string): Letter => {
    const letter = letters.get(char) ?? makeLetter(char)
    letters.set(char, letter)
    return letter
  }
  const widthOf = (text: string, size: number): number => {
    let width = 0
    for (const char of joinLetters(drawableText(text))) if (!isSilent(char)) width += letterOf(char).width
    return width * size
  }
  const runsOf = (text: string): Run[] => {
    const runs: Run[] = []
    for (const char of visualOrder(joinLetters(drawableText(text)))) {
      if (isSilent(char)) continue
      const { font, width, glyph } = letterOf(char)
      const last = runs.at(-1)
      const run = last?.font === font ? last : { font, width: 0, glyphs: [] }
      if (run !== last) runs.push(run)
      run.width += width
      run.glyphs.push(...glyph)
    }
    return runs
  }

  return {
    widthOf,
    wrap: (text, size, width) => wrapText(text, width / size, (part) => widthOf(part, 1)),
    line(page, { text, x, y, size }) {
      let at = x
      return runsOf(text).flatMap((run) => {
        const operators = [
          ops.setFont(page.registerFont(run.font), size),
          ops.setTextMatrix(1, 0, 0, 1, at, y),
          ops.showText(PdfString.fromBytes(Uint8Array.from(run.glyphs))),
        ]
        at += run.width * size
        return operators
      })
    },
  }
}

/** Characters that are drawn with one font, one after the other. */
interface Run {
  font: EmbeddedFont
  /** At size 1. */
  width: number
  glyphs: number[]
}
