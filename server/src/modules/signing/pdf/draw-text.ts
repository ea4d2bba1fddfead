/** Text as PDF operators: wrapped, joined, put into the order of drawing, each piece in the first font that has it. */
import { type EmbeddedFont, ops, type PDF, type PDFPage, PdfString } from '@libpdf/core'
import { joinLetters } from './text/arabic.ts'
import { drawableText, isSilent } from './text/drawable.ts'
import { covers, type FontStyle, fontFiles, readFont } from './text/fonts.ts'
import { visualOrder } from './text/visual-order.ts'

type Operator = ReturnType<typeof ops.beginText>

export interface TextPen {
  /** The width of one line, in points. */
  widthOf(text: string, size: number, style?: FontStyle): number
  /** Lines that are no wider than `width`. A word that is wider is broken. */
  wrap(text: string, size: number, width: number, style?: FontStyle): string[]
  /** Operators for one line, its base line starting at `x`, `y`. */
  line(page: PDFPage, line: { text: string; x: number; y: number; size: number; style?: FontStyle }): Operator[]
}

/** Fonts are added to the document when they are first needed. */
export const createTextPen = (pdf: PDF): TextPen => {
  const embedded = new Map<string, EmbeddedFont>()
  const fontFor = (char: string, style: FontStyle): EmbeddedFont => {
    const codePoint = char.codePointAt(0) ?? 0
    const [fallback = '', ...others] = fontFiles[style]
    const path = [fallback, ...others].find((candidate) => covers(candidate, codePoint)) ?? fallback
    const font = embedded.get(path) ?? pdf.embedFont(readFont(path))
    embedded.set(path, font)
    return font
  }

  const runsOf = (text: string, style: FontStyle): { font: EmbeddedFont; text: string }[] => {
    const runs: { font: EmbeddedFont; text: string }[] = []
    for (const char of visualOrder(joinLetters(drawableText(text)))) {
      if (isSilent(char)) continue
      const font = fontFor(char, style)
      const last = runs.at(-1)
      if (last?.font === font) last.text += char
      else runs.push({ font, text: char })
    }
    return runs
  }

  const widthOf = (text: string, size: number, style: FontStyle = 'text'): number =>
    runsOf(text, style).reduce((sum, run) => sum + run.font.widthOfTextAtSize(run.text, size), 0)

  return {
    widthOf,
    wrap: (text, size, width, style = 'text') =>
      text
        .split(/\r\n|[\r\n]/)
        .flatMap((paragraph) => wrapParagraph(paragraph, (part) => widthOf(part, size, style) <= width)),
    line(page, { text, x, y, size, style = 'text' }) {
      let at = x
      return runsOf(text, style).flatMap((run) => {
        const operators = [
          ops.setFont(page.registerFont(run.font), size),
          ops.setTextMatrix(1, 0, 0, 1, at, y),
          ops.showText(glyphsOf(run.font, run.text)),
        ]
        at += run.font.widthOfTextAtSize(run.text, size)
        return operators
      })
    },
  }
}

const glyphsOf = (font: EmbeddedFont, text: string): PdfString =>
  PdfString.fromBytes(Uint8Array.from(font.encodeTextToGids(text).flatMap((glyph) => [glyph >> 8, glyph & 0xff])))

const words = new Intl.Segmenter('und', { granularity: 'word' })

/** Breaks between words, which also finds words in Chinese and Japanese. */
const wrapParagraph = (paragraph: string, fits: (part: string) => boolean): string[] => {
  const lines: string[] = []
  let line = ''
  for (const { segment } of words.segment(paragraph)) {
    if (fits(line + segment.trimEnd())) {
      line += segment
      continue
    }
    if (line.trim() !== '') lines.push(line.trimEnd())
    line = ''
    for (const char of segment.trimStart()) {
      if (line !== '' && !fits(line + char)) {
        lines.push(line)
        line = ''
      }
      line += char
    }
  }
  lines.push(line.trimEnd())
  return lines
}
