/** What of a JSON value is shown at first: enough to understand it, never so much that the page suffers. */
import { counted } from './counted.ts'

export type Entry = readonly [key: string, value: unknown]

/** How many entries of one object or list are drawn at a time. */
export const entriesAtOnce = 50
/** A text longer than this is cut until somebody asks for the rest. */
const longText = 600
const openDepth = 2
const openEntries = 20

export const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null

export const entriesOf = (value: object): Entry[] =>
  Array.isArray(value) ? value.map((item, index) => [String(index), item] as const) : Object.entries(value)

/** Small things near the root are open; a list of things is open, the things in it are not. */
export function isOpenAtFirst(value: object, depth: number): boolean {
  const { length } = entriesOf(value)
  return depth === 0 ? length <= entriesAtOnce * 2 : depth < openDepth && length <= openEntries
}

/** What stands for a closed branch. */
export function sayClosed(value: object): string {
  const { length } = entriesOf(value)
  if (length === 0) return Array.isArray(value) ? '[ ]' : '{ }'
  return Array.isArray(value) ? `[ ${counted(length, 'item')} ]` : `{ ${counted(length, 'field')} }`
}

/** The beginning of a long text, and how much it is in all; undefined where it is short. */
export function cutText(text: string): { head: string; total: number } | undefined {
  if (text.length <= longText) return undefined
  // Not through the middle of a character that takes two places.
  const end = /[\uD800-\uDBFF]/.test(text[longText - 1] ?? '') ? longText - 1 : longText
  return { head: text.slice(0, end), total: text.length }
}

export const sayJson = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')

/** One line that lets somebody recognise a value in a list. */
export function sayBriefly(value: unknown, most = 160): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > most ? `${text.slice(0, most)}…` : text
}
