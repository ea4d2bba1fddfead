/**
 * Text that PostgreSQL, UTF-8 and every reader can hold: no NUL, no half of a surrogate pair.
 * The walk keeps its own stack, so a body of ten thousand brackets cannot exhaust the real one.
 */
import { AppError } from '../errors.ts'

const maxDepth = 200

interface Visit {
  value: unknown
  depth: number
}

/** Checks every string and key of a parsed JSON value, or throws `invalid_text`. */
export const assertStorableText = (value: unknown): void => {
  const pending: Visit[] = [{ value, depth: 0 }]
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    if (typeof visit.value === 'string') assertStorable(visit.value)
    else if (typeof visit.value === 'object' && visit.value !== null)
      queueChildren(pending, visit.value, visit.depth + 1)
  }
}

const queueChildren = (pending: Visit[], container: object, depth: number): void => {
  if (depth > maxDepth) throw new AppError('invalid_request', { detail: 'The body is nested too deeply.' })
  if (Array.isArray(container)) {
    for (const value of container) pending.push({ value, depth })
    return
  }
  for (const [key, value] of Object.entries(container)) {
    assertStorable(key)
    pending.push({ value, depth })
  }
}

const assertStorable = (text: string): void => {
  if (text.includes('\0') || !text.isWellFormed()) throw new AppError('invalid_text')
}
