/** Chooses the parts of a JSON value to expand at first: enough to understand it, without slowing the page down. */
import { counted } from './counted.ts'

export type Entry = readonly [key: string, value: unknown]

/** The rest of a longer object or list is rendered on request. */
export const entriesAtOnce = 50
/** Longer texts are cut until the user expands them. */
const longText = 600
const openDepth = 2
const openEntries = 20

export const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null

export const entriesOf = (value: object): Entry[] =>
  Array.isArray(value) ? value.map((item, index) => [String(index), item] as const) : Object.entries(value)

/** Small values near the root are open; a list of objects is open, the objects in it are closed. */
export function isOpenAtFirst(value: object, depth: number): boolean {
  const { length } = entriesOf(value)
  return depth === 0 ? length <= entriesAtOnce * 2 : depth < openDepth && length <= openEntries
}

/** The summary of a closed branch. */
export function closedSummary(value: object): string {
  const { length } = entriesOf(value)
  if (length === 0) return Array.isArray(value) ? '[ ]' : '{ }'
  return Array.isArray(value) ? `[ ${counted(length, 'item')} ]` : `{ ${counted(length, 'field')} }`
}

/** The start of a long text, and its total length; undefined if it is short. */
export function cutText(text: string): { head: string; total: number } | undefined {
  if (text.length <= longText) return undefined
  // Not in the middle of a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text[longText - 1] ?? '') ? longText - 1 : longText
  return { head: text.slice(0, end), total: text.length }
}

export const formatJson = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')

/** One line that identifies a value in a list. */
export function briefText(value: unknown, most = 160): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > most ? `${text.slice(0, most)}…` : text
}
