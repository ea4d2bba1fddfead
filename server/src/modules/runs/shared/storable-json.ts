/** Node results as JSON that PostgreSQL accepts: no NUL, no lone surrogates, not too large. Pure. */
import { AppError } from '#kernel/errors.ts'
import { lengthLeft } from '#kernel/json/length-left.ts'
import { parseForeign, requireFewParts } from '#kernel/json/parse-foreign.ts'

const maxJsonLength = 4 * 1024 * 1024

/** JSON.stringify escapes NUL and lone surrogates in exactly this form; an escaped backslash is skipped. */
const unstorable = /\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g

export interface Storable {
  json: string
  /** As it will be read back. */
  value: unknown
}

/** Null for values without JSON. Throws when the result is too large for a run. */
export const storable = (value: unknown): Storable => {
  if (lengthLeft(value, maxJsonLength) < 0) throw tooLarge()
  const json = JSON.stringify(value) ?? 'null'
  if (json.length > maxJsonLength) throw tooLarge()
  requireFewParts(json, { tooLarge: 'node_failed' })
  if (!json.includes('\\u')) return { json, value }
  const cleaned = json.replace(unstorable, (found) => (found === '\\\\' ? found : '\\ufffd'))
  return cleaned === json ? { json, value } : { json: cleaned, value: parseForeign(cleaned, { exactly: true }) }
}

const tooLarge = () => new AppError('node_failed', { detail: 'The result is larger than 4 MB.' })

/** The same for a text column. */
export const storableText = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replaceAll('\0', '').toWellFormed()
