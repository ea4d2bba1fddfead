/**
 * Pure. Text as full-text search should see it: words in lower case between spaces. Scripts that write no spaces are
 * turned into pairs and triples of characters (decision 35): most Chinese words are pairs, and a triple ranks the texts
 * higher that hold a longer word or a phrase. Done here and not by PostgreSQL, whose parser depends on the locale of the
 * database.
 */
import { normalized } from '@chancery/contract/normalized.ts'

/** Increased with each change of what is below. Documents of an older version are indexed again in the background. */
export const termsVersion = 2

const scripts =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー'
const unspaced = new RegExp(`[${scripts}]+`, 'gu')
const triple = new RegExp(`^[${scripts}]{3}$`, 'u')
const longRun = new RegExp(`[${scripts}]{3}`, 'u')
const notWord = /[^\p{L}\p{N}\p{M}]+/gu

export const searchableText = (text: string): string =>
  normalized(text, 'NFKC')
    .toLowerCase()
    .replace(unspaced, (run) => ` ${piecesOf(run)} `)
    .replace(notWord, ' ')
    .trim()

/** The text that a chunk is found by: its own and the heading above it. */
export const searchableChunk = (text: string, heading: string | null | undefined) => {
  const searchable = searchableText(heading ? `${heading} ${text}` : text)
  return { searchable, wordCount: searchable === '' ? 0 : searchable.split(' ').length }
}

const piecesOf = (run: string): string => {
  const characters = [...run]
  if (characters.length === 1) return run
  const ofLength = (length: number) =>
    characters.slice(0, 1 - length).map((_, index) => characters.slice(index, index + length).join(''))
  return [...ofLength(2), ...ofLength(3)].join(' ')
}

/** A triple helps to rank, but its pairs tell already whether a text holds what was asked for. */
export const isTriple = (lexeme: string): boolean => triple.test(lexeme)

/** True when a text becomes triples. Much cheaper than turning it into words. */
export const hasTriples = (text: string): boolean => longRun.test(normalized(text, 'NFKC'))
