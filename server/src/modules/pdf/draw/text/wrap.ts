/** Text in lines. Pure, and each part is measured once, so that the longest value takes no time worth naming. */

/** The width of a text at size 1. */
export type WidthOf = (text: string) => number

/** Lines that are no wider than `limit`. A word that is wider is broken. */
export const wrapText = (text: string, limit: number, widthOf: WidthOf): string[] =>
  text.split(/\r\n|[\r\n]/).flatMap((paragraph) => wrapParagraph(paragraph, limit, widthOf))

const words = new Intl.Segmenter('und', { granularity: 'word' })

/** What ends a sentence or a bracket doesn't begin a line. */
const closing = /^[\p{Pe}\p{Pf}、。，．！？；：.,;:!?]/u

/** A line that grows word by word. */
interface Growing {
  text: string
  width: number
  /** Where its last word begins, and how wide the line is up to there. */
  lastWord: { at: number; width: number }
}

const lineOf = (text: string, width: number): Growing => ({ text, width, lastWord: { at: 0, width: 0 } })

/** Breaks between words, which also finds words in Chinese and Japanese. */
const wrapParagraph = (paragraph: string, limit: number, widthOf: WidthOf): string[] => {
  if (widthOf(paragraph) <= limit) return [paragraph]
  const lines: string[] = []
  let line = lineOf('', 0)
  for (const { segment } of words.segment(paragraph)) {
    const width = widthOf(segment)
    if (line.width + widthOf(segment.trimEnd()) <= limit) {
      const lastWord = { at: line.text.length, width: line.width }
      line = { text: line.text + segment, width: line.width + width, lastWord }
      continue
    }
    const { at } = line.lastWord
    const together = line.width - line.lastWord.width + width
    if (closing.test(segment) && at > 0 && together <= limit) {
      lines.push(line.text.slice(0, at).trimEnd())
      line = lineOf(line.text.slice(at) + segment, together)
      continue
    }
    if (line.text.trim() !== '') lines.push(line.text.trimEnd())
    const parts = breakWord(segment.trimStart(), limit, widthOf)
    lines.push(...parts.slice(0, -1))
    line = lineOf(parts.at(-1) ?? '', widthOf(parts.at(-1) ?? ''))
  }
  return [...lines, line.text.trimEnd()]
}

const breakWord = (word: string, limit: number, widthOf: WidthOf): string[] => {
  if (widthOf(word) <= limit) return [word]
  const parts: string[] = []
  let part = ''
  let width = 0
  for (const char of word) {
    const more = widthOf(char)
    if (part !== '' && width + more > limit) {
      parts.push(part)
      part = ''
      width = 0
    }
    part += char
    width += more
  }
  return [...parts, part]
}
