/** Finds the event that each waiting node takes. Its filter is that of a subscription; one that fails matches nothing. */
import { type Expressions, toExpressionError } from '#kernel/expression/expressions.ts'
import { type StoredEvent, testFilters } from '#modules/event-bus/index.ts'

interface Wait {
  filterExpr: string | null
  /** The events it may take, in order. */
  events: readonly StoredEvent[]
}

export interface Match {
  event: StoredEvent | undefined
  /** Why the filter failed for an event before it, if it did. */
  problem: string | undefined
}

/** For each wait the first of its events that passes its filter. All filters are tested in one go. */
export const findFirstMatches = async (
  expressions: Pick<Expressions, 'test'>,
  waits: readonly Wait[],
): Promise<Match[]> => {
  const filtersByEvent = new Map<StoredEvent, string[]>()
  for (const { filterExpr, events } of waits)
    if (filterExpr !== null)
      for (const event of events) filtersByEvent.set(event, [...(filtersByEvent.get(event) ?? []), filterExpr])
  const cases = [...filtersByEvent].map(([event, filters]) => ({ event, filters: [...new Set(filters)] }))
  const tested = cases.length > 0 ? await testFilters(expressions, cases) : []
  const verdicts = new Map(
    cases.map(({ event, filters }, index) => [
      event,
      new Map(filters.map((filter, position) => [filter, tested[index]?.[position]])),
    ]),
  )
  return waits.map(({ filterExpr, events }) => {
    let problem: string | undefined
    for (const event of events) {
      if (filterExpr === null) return { event, problem }
      const verdict = verdicts.get(event)?.get(filterExpr)
      if (verdict && 'error' in verdict) problem ??= toExpressionError(verdict.error).message
      else if (verdict?.holds) return { event, problem }
    }
    return { event: undefined, problem }
  })
}
