/** Pure. Whether values in memory pass a filter. */
import type { Comparison, Filter, Operand } from './parse-filter.ts'

export type Value = string | number | boolean | null | undefined
/** The values that an attribute has. */
export type ReadValues = (path: string) => readonly Value[]

const isPresent = (value: Value): boolean => value !== undefined && value !== null && value !== ''

/** Directories write booleans as texts, and texts in any case. */
const plain = (value: Value | Operand): string | number | null => {
  if (value === undefined || value === null) return null
  return typeof value === 'number' ? value : String(value).toLowerCase()
}

const tests: Record<Comparison, (actual: string, wanted: string) => boolean> = {
  eq: (actual, wanted) => actual === wanted,
  ne: (actual, wanted) => actual !== wanted,
  co: (actual, wanted) => actual.includes(wanted),
  sw: (actual, wanted) => actual.startsWith(wanted),
  ew: (actual, wanted) => actual.endsWith(wanted),
  gt: (actual, wanted) => actual > wanted,
  ge: (actual, wanted) => actual >= wanted,
  lt: (actual, wanted) => actual < wanted,
  le: (actual, wanted) => actual <= wanted,
}

const compare = (op: Comparison, values: readonly Value[], wanted: Operand): boolean => {
  const target = plain(wanted)
  if (op === 'ne') return !compare('eq', values, wanted)
  if (target === null) return op === 'eq' && !values.some(isPresent)
  return values.some((value) => isPresent(value) && tests[op](String(plain(value)), String(target)))
}

export const matches = (filter: Filter, read: ReadValues): boolean => {
  if (filter.op === 'and') return filter.of.every((part) => matches(part, read))
  if (filter.op === 'or') return filter.of.some((part) => matches(part, read))
  if (filter.op === 'not') return !matches(filter.of, read)
  if (filter.op === 'pr') return read(filter.path).some(isPresent)
  return compare(filter.op, read(filter.path), filter.value)
}
