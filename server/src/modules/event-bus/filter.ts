/**
 * A subscription's filter: a Python expression over the names that nodes and templates of a run have too. Before the run,
 * `input` is what its first node would get, the event, and `state` holds nothing else.
 */

import { compileExpression, ExpressionSyntaxError, type Name } from '@chancery/expression'
import { AppError } from '#kernel/errors.ts'
import type { Expressions, TestVerdict as FilterVerdict } from '#kernel/expressions/expressions.ts'
import type { StoredEvent, TestMetered } from './interface.ts'
import { presentEvent } from './present.ts'

const names: readonly Name[] = [
  'event',
  { name: 'payload', of: 'event', field: 'payload' },
  { name: 'input', of: 'event' },
  { name: 'state', of: 'event', within: '_event' },
  { name: '_event', of: 'event', isOld: true },
]

export type { FilterVerdict }

/** Throws `filter_invalid` with line and column if the filter does not compile. */
export const checkFilter = (text: string | null): void => {
  if (text === null) return
  try {
    compileExpression(text, names)
  } catch (problem) {
    if (!(problem instanceof ExpressionSyntaxError)) throw problem
    const { line, column, message } = problem
    const msg = `Line ${line}, column ${column}: ${message}`
    throw new AppError('filter_invalid', {
      problems: [{ loc: ['body', 'filter_expr'], type: 'expression_syntax', line, column, msg }],
    })
  }
}

/** The value of `event` in a filter. */
export const filteredEvent = (event: StoredEvent): unknown => {
  const fields = presentEvent(event)
  return { ...fields, id: fields.event_id, type: fields.event_type }
}

/** An event and the filters to test on it, each of a tenant. */
export interface FilterCase {
  event: StoredEvent
  filters: readonly string[]
  scopeIds: readonly string[]
}

/** Tests many filters in one go: for each case the verdicts of its filters. Whatever a filter does, it only fails itself. */
export const testFilters = async (
  expressions: Pick<Expressions, 'test'>,
  cases: readonly Omit<FilterCase, 'scopeIds'>[],
): Promise<FilterVerdict[][]> => {
  const groups = cases.map(({ event, filters }) => ({ values: [filteredEvent(event)], texts: filters }))
  return byCase(cases, await expressions.test({ names, groups }))
}

/** The same within the shares of the filters' tenants. */
export const testFiltersMetered = async (
  test: TestMetered,
  cases: readonly FilterCase[],
): Promise<(FilterVerdict | undefined)[][]> => {
  const groups = cases.map(({ event, filters, scopeIds }) => ({
    values: [filteredEvent(event)],
    texts: filters,
    scopeIds,
  }))
  return byCase(cases, await test({ names, groups }))
}

const byCase = <Verdict>(cases: readonly Pick<FilterCase, 'filters'>[], verdicts: readonly Verdict[]): Verdict[][] => {
  let next = 0
  return cases.map(({ filters }) => {
    const own = verdicts.slice(next, next + filters.length)
    next += filters.length
    return own
  })
}
