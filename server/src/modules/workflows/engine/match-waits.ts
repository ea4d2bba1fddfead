/** Finds the event that each waiting node takes. Its filter is that of a subscription; one that fails does not match. */
import type { Expressions } from '#kernel/expression/expressions.ts'
import { type StoredEvent, testFilters } from '#modules/event-bus/index.ts'

interface Wait {
  filterExpr: string | null
  /** The events it may take, in order. */
  events: readonly StoredEvent[]
}

/** For each wait the first of its events that passes its filter. All filters are tested in one go. */
export const findFirstMatches = async (
  expressions: Pick<Expressions, 'test'>,
  waits: readonly Wait[],
): Promise<(StoredEvent | undefined)[]> => {
  const filtersByEvent = new Map<StoredEvent, string[]>()
  for (const { filterExpr, events } of waits)
    if (filterExpr !== null)
      for (const event of events) filtersByEvent.set(event, [...(filtersByEvent.get(event) ?? []), filterExpr])
  const cases = [...filtersByEvent].map(([event, filters]) => ({ event, filters: [...new Set(filters)] }))
  const verdicts = cases.length > 0 ? await testFilters(expressions, cases) : []
  const passing = new Map(
    cases.map(({ event, filters }, index) => [
      event,
      new Set(
        filters.filter((_filter, position) => {
          const verdict = verdicts[index]?.[position]
          return verdict !== undefined && 'holds' in verdict && verdict.holds
        }),
      ),
    ]),
  )
  return waits.map(({ filterExpr, events }) =>
    events.find((event) => filterExpr === null || passing.get(event)?.has(filterExpr)),
  )
}
