/** The result of every reader: pieces of text, each with the page and the headings it is under. */
import { ExtractionFailure } from './failure.ts'

export interface Block {
  text: string
  /** From 1: a page, a slide. */
  page?: number
  /** The headings above it, outermost first, joined by ` > `. */
  heading?: string
}

export type Emit = (block: Block) => Promise<void>

const maxTextLength = 20_000_000
const maxHeadingLength = 300

/** Cleans each block, drops empty ones and fails when a document holds more text than we store. */
export const createEmitter = (write: (block: Block) => Promise<void>): { emit: Emit; count: () => number } => {
  let length = 0
  let count = 0
  return {
    count: () => count,
    emit: async ({ text, page, heading }) => {
      const clean = cleanText(text)
      if (clean === '') return
      length += clean.length
      count += 1
      if (length > maxTextLength) throw new ExtractionFailure('too_much_text')
      await write({
        text: clean,
        ...(page === undefined ? {} : { page }),
        ...(heading ? { heading: cleanText(heading).replaceAll('\n', ' ').slice(0, maxHeadingLength) } : {}),
      })
    },
  }
}

/** Without what PostgreSQL cannot store (NUL, half surrogates), other control characters and trailing spaces. */
const cleanText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\ufeff]/g, '')
    .replace(/[ \t\u00a0]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** Keeps the headings that are open at each level. */
export class HeadingPath {
  readonly #open: { level: number; title: string }[] = []

  enter(level: number, title: string): void {
    const name = title.replace(/\s+/g, ' ').trim()
    if (name === '') return
    while ((this.#open.at(-1)?.level ?? 0) >= level) this.#open.pop()
    this.#open.push({ level, title: name })
  }

  toString(): string {
    return this.#open.map(({ title }) => title).join(' > ')
  }
}

const rowsPerBlock = 20

/** A table as blocks of some rows, each under the header row again, so that a passage can be read alone. */
export const emitTable = async (emit: Emit, rows: readonly string[][], under: Omit<Block, 'text'>): Promise<void> => {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
  const [header, ...body] = filled.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()).join(' | '))
  if (header === undefined) return
  if (body.length === 0) return emit({ ...under, text: header })
  for (let at = 0; at < body.length; at += rowsPerBlock)
    await emit({ ...under, text: [header, ...body.slice(at, at + rowsPerBlock)].join('\n') })
}
