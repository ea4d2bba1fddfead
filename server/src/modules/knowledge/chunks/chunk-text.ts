/**
 * Pure. Cuts a text into chunks of about one size: at headings and pages first, then between paragraphs, lines,
 * sentences, words. Neighbours under the same heading share some text, so that a sentence at a cut is whole in one.
 */
import type { TextMark } from '#modules/files/index.ts'

export interface Chunk {
  text: string
  page?: number
  heading?: string
}

export interface ChunkOptions {
  /** In characters. */
  size: number
  overlap: number
}

type Section = Omit<TextMark, 'at'> & { text: string }

/** A section shorter than this is joined with the next: as a rule it is only a heading. */
const tinyLength = 120

export const chunkText = (content: string, marks: readonly TextMark[], options: ChunkOptions): Chunk[] =>
  joinTiny(sectionsOf(content, marks), options.size).flatMap(({ text, ...under }) =>
    cut(text, options).map((piece) => ({ ...under, text: piece })),
  )

const sectionsOf = (content: string, marks: readonly TextMark[]): Section[] => {
  const starts = marks.length === 0 || (marks[0]?.at ?? 0) > 0 ? [{ at: 0 }, ...marks] : marks
  return starts
    .map(({ at, ...under }, index) => ({ ...under, text: content.slice(at, starts[index + 1]?.at).trim() }))
    .filter(({ text }) => text !== '')
}

/** The section after a tiny one says more about where they are, so its page and heading are kept. */
const joinTiny = (sections: readonly Section[], size: number): Section[] => {
  const joined: Section[] = []
  for (const section of sections) {
    const last = joined.at(-1)
    const fits = last && last.text.length < tinyLength && last.text.length + section.text.length < size
    if (last && fits && last.page === section.page)
      joined[joined.length - 1] = { ...section, text: `${last.text}\n\n${section.text}` }
    else joined.push(section)
  }
  return joined
}

const cut = (text: string, { size, overlap }: ChunkOptions): string[] => {
  const chunks: string[] = []
  let start = 0
  while (text.length - start > size) {
    const end = cutAt(text, start, size)
    chunks.push(text.slice(start, end).trim())
    start = Math.max(start + 1, overlapStart(text, { start, end, overlap }))
  }
  const rest = text.slice(start).trim()
  if (rest !== '') chunks.push(rest)
  return chunks.filter((chunk) => chunk !== '')
}

const boundaries = [/\n\n/g, /\n/g, /(?<=[.!?。！？…]["')\]”’»]{0,2})\s|(?<=[。！？])/gu, /\s/g]

/** The last boundary of the best kind in the second half of the window; the window's end where there is none. */
const cutAt = (text: string, start: number, size: number): number => {
  const from = start + Math.floor(size / 2)
  const window = text.slice(from, start + size)
  for (const boundary of boundaries) {
    let last = -1
    for (const { index } of window.matchAll(boundary)) last = index
    if (last > 0) return from + last
  }
  const end = start + size
  // Never between the halves of one character.
  const isSplit = /[\ud800-\udbff]/.test(text[end - 1] ?? '')
  return isSplit ? end - 1 : end
}

/** Back from the cut to the start of a sentence or a word, at most as far as the overlap. */
const overlapStart = (
  text: string,
  { start, end, overlap }: { start: number; end: number; overlap: number },
): number => {
  const from = Math.max(start + 1, end - overlap)
  const tail = text.slice(from, end)
  const sentence = /(?<=[.!?。！？\n])\s*(?=\S)/u.exec(tail)
  const word = /\s+(?=\S)/.exec(tail)
  const found = sentence ?? word
  return found ? from + found.index + found[0].length : end
}
