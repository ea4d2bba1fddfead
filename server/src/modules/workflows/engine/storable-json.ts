/** What a node brought home, as JSON that the database takes: no NUL, no half of a surrogate pair, not too much. Pure. */
import { AppError } from '#kernel/errors.ts'

const maxLength = 4 * 1024 * 1024

/** JSON.stringify escapes NUL and half pairs, and nothing else in this form; an escaped backslash is passed over. */
const unstorable = /\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g

export interface Storable {
  json: string
  /** As it will be read back. */
  value: unknown
}

/** Null for what has no JSON at all. Throws where a node's result is larger than a run can carry. */
export const storable = (value: unknown): Storable => {
  const json = JSON.stringify(value) ?? 'null'
  if (json.length > maxLength)
    throw new AppError('node_failed', { detail: 'The result is larger than four megabytes.' })
  if (!json.includes('\\u')) return { json, value }
  const mended = json.replace(unstorable, (found) => (found === '\\\\' ? found : '\\ufffd'))
  return mended === json ? { json, value } : { json: mended, value: JSON.parse(mended) }
}

/** The same for a text in a column of its own. */
export const storableText = (text: string, longest: number): string =>
  text.slice(0, longest).replaceAll('\0', '').toWellFormed()
