/**
 * The parts of its run that a wait keeps for its filter: only those of `input` and `state` that the filter reads. They
 * are kept because the filter is tested where the event is dispatched, and as they were when the wait began, so that
 * the same event gets the same verdict whenever it is tested. Pure.
 */
import { readPaths, suggestable } from '@chancery/expression'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { NodeFailure } from '../core/backoff.ts'
import type { FilterValues } from '../queries/tables.ts'

/** Each dispatch of such an event reads it for every run that waits. */
const maxLength = 32 * 1024

/** Null where the filter reads neither. Throws a NodeFailure when they are too large. */
export const keepForFilter = (
  filterExpr: string | null,
  run: { input: unknown; state: Record<string, unknown> },
): FilterValues | null => {
  if (filterExpr === null) return null
  const kept: FilterValues = {}
  for (const name of ['input', 'state'] as const) {
    const paths = readPaths(filterExpr, name)
    if (paths.length > 0) kept[name] = pick(run[name], paths)
  }
  if (Object.keys(kept).length === 0) return null
  if (JSON.stringify(kept).length <= maxLength) return kept
  throw new NodeFailure(
    'The filter reads more than 32 KB of the run. Read single fields, such as input["order"]["id"], instead of all of it.',
    { canRetry: false },
  )
}

type Path = readonly string[]

/** The paths of the event that the filter reads, for `pick`: all of it where the filter doesn't say. */
export const readOfEvent = (filterExpr: string): Path[] => {
  try {
    const ofPayload = readPaths(filterExpr, 'payload').map((path) => ['payload', ...path])
    return [...readPaths(filterExpr, 'event'), ...ofPayload]
  } catch {
    // Another release accepted this filter. Its verdict will say what is wrong.
    return [[]]
  }
}

/** The value with nothing but what is at these paths. What lies before the end of a path is read by these keys only. */
export const pick = (value: unknown, paths: readonly Path[]): unknown => {
  if (!isJsonObject(value) || paths.some((path) => path.length === 0)) return value
  const rests = new Map<string, Path[]>()
  for (const [key = '', ...rest] of paths) rests.set(key, [...(rests.get(key) ?? []), rest])
  // Next to a missing field, the names of the others are kept, so that the error can suggest one of them.
  const isMissing = [...rests.keys()].some((key) => !Object.hasOwn(value, key))
  const canSuggest = isMissing && Object.keys(value).length <= suggestable.names
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
      const rest = rests.get(key)
      if (rest) return [[key, pick(one, rest)]]
      return canSuggest && key.length <= suggestable.nameLength ? [[key, null]] : []
    }),
  )
}
