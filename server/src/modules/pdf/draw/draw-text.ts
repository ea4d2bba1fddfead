/** Text as PDF operators: wrapped, joined, put into the order of drawing, each piece in the first font that has it. */
import { type EmbeddedFont, ops, type PDF, type PDFPage, PdfString } from '@libpdf/core'
import { joinLetters } from './text/arabic.ts'
import { drawableText, isSilent } from './text/drawable.ts'
import { covers, fontFiles, readFont } from './text/fonts.ts'
import { visualOrder } from './text/visual-order.ts'

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

/** Fonts are added to the document when they are first needed. */
export const createTextPen = (pdf: PDF): TextPen => {
  const embedded = new Map<string, EmbeddedFont>()
  const widths = new Map<string, number>()
  const [fallback = ''] = fontFiles

  const fontFor = (char: string): EmbeddedFont => {
    const codePoint = char.codePointAt(0) ?? 0
    const path = fontFiles.find((candidate) => covers(candidate, codePoint)) ?? fallback
    const font = embedded.get(path) ?? pdf.embedFont(readFont(path))
    embedded.set(path, font)
    return font
  }
  /** At size 1. */
  const charWidth = (char: string): number => {
    const known = widths.get(char)
    if (known !== undefined) return known
    const width = isSilent(char) ? 0 : fontFor(char).getWidth(char.codePointAt(0) ?? 0) / 1000
    widths.set(char, width)
    return width
  }
  const widthOf = (text: string, size: number): number => {
    let width = 0
    for (const char of joinLetters(drawableText(text))) width += charWidth(char)
    return width * size
  }
  const runsOf = (text: string): { font: EmbeddedFont; text: string }[] => {
    const runs: { font: EmbeddedFont; text: string }[] = []
    for (const char of visualOrder(joinLetters(drawableText(text)))) {
      if (isSilent(char)) continue
      const font = fontFor(char)
      const last = runs.at(-1)
      if (last?.font === font) last.text += char
      else runs.push({ font, text: char })
    }
    return runs
  }

  return {
    widthOf,
    wrap: (text, size, width) =>
      text
        .split(/\r\n|[\r\n]/)
        .flatMap((paragraph) => wrapParagraph(paragraph, (part) => widthOf(part, size) <= width)),
    line(page, { text, x, y, size }) {
      let at = x
      return runsOf(text).flatMap((run) => {
        const operators = [
          ops.setFont(page.registerFont(run.font), size),
          ops.setTextMatrix(1, 0, 0, 1, at, y),
          ops.showText(glyphsOf(run.font, run.text)),
        ]
        at += [...run.text].reduce((sum, char) => sum + charWidth(char), 0) * size
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
  if (fits(paragraph)) return [paragraph]
  const lines: string[] = []
  let line = ''
  for (const { segment } of words.segment(paragraph)) {
    if (fits(line + segment.trimEnd())) {
      line += segment
      continue
    }
    if (line.trim() !== '') lines.push(line.trimEnd())
    const parts = breakWord(segment.trimStart(), fits)
    lines.push(...parts.slice(0, -1))
    line = parts.at(-1) ?? ''
  }
  return [...lines, line.trimEnd()]
}

const breakWord = (word: string, fits: (part: string) => boolean): string[] => {
  const parts = ['']
  for (const char of word) {
    const last = parts.at(-1) ?? ''
    if (last === '' || fits(last + char)) parts[parts.length - 1] = last + char
    else parts.push(char)
  }
  return parts
}
