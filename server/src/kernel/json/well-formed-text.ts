/** JSON that PostgreSQL, UTF-8 and every reader can hold: no NUL, no half of a surrogate pair, no poisoned prototype. */
import { AppError } from '../errors.ts'

const maxDepth = 200

/** Checks every string and key of a parsed JSON value, or throws `invalid_text`, `unsafe_key` or `invalid_request`. */
export const assertStorableText = (value: unknown, depth = 0): void => {
  if (typeof value === 'string') assertStorable(value)
  else if (typeof value === 'object' && value !== null) assertParts(value, depth + 1)
}

const assertParts = (container: object, depth: number): void => {
  if (depth > maxDepth) throw new AppError('invalid_request', { detail: 'The body is nested too deeply.' })
  if (Array.isArray(container)) {
    for (const value of container) assertStorableText(value, depth)
    return
  }
  for (const key in container) {
    if (key === '__proto__') throw new AppError('unsafe_key')
    assertStorable(key)
    assertStorableText((container as Record<string, unknown>)[key], depth)
  }
}

const assertStorable = (text: string): void => {
  if (text.includes('\0') || !text.isWellFormed()) throw new AppError('invalid_text')
}
