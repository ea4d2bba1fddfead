/** Finds the event that each waiting node takes. A filter that fails matches nothing. */
import { type Expressions, type TestVerdict, toExpressionError } from '#kernel/expression/expressions.ts'
import { filteredEvent, type StoredEvent } from '#modules/event-bus/index.ts'
import { waitNames } from '../graph/config-rules.ts'
import type { RunWaitsTable } from '../run-tables.ts'

interface Wait extends Pick<RunWaitsTable, 'filterExpr' | 'filterValues'> {
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
  const verdictOf = await testAll(expressions, waits)
  return waits.map((wait) => {
    let problem: string | undefined
    for (const event of wait.events) {
      if (wait.filterExpr === null) return { event, problem }
      const verdict = verdictOf(event, wait)
      if (verdict && 'error' in verdict) problem ??= toExpressionError(verdict.error).message
      else if (verdict?.holds) return { event, problem }
    }
    return { event: undefined, problem }
  })
}

interface Group {
  values: readonly unknown[]
  verdicts: Map<string, TestVerdict | undefined>
}

/** Filters that read only the event share a group, and the same filter is tested once in it. */
const testAll = async (
  expressions: Pick<Expressions, 'test'>,
  waits: readonly Wait[],
): Promise<(event: StoredEvent, wait: Wait) => TestVerdict | undefined> => {
  const byEvent = new Map<StoredEvent, Map<Wait['filterValues'], Group>>()
  for (const { filterExpr, filterValues, events } of waits)
    for (const event of filterExpr === null ? [] : events) {
      const byValues = byEvent.get(event) ?? new Map<Wait['filterValues'], Group>()
      byEvent.set(event, byValues)
      const values = [filteredEvent(event), filterValues?.input, filterValues?.state]
      const group = byValues.get(filterValues) ?? { values, verdicts: new Map() }
      byValues.set(filterValues, group)
      group.verdicts.set(filterExpr ?? '', undefined)
    }
  const groups = [...byEvent.values()].flatMap((byValues) => [...byValues.values()])
  const texts = groups.map(({ values, verdicts }) => ({ values, texts: [...verdicts.keys()] }))
  const tested = groups.length > 0 ? await expressions.test({ names: waitNames, groups: texts }) : []
  let next = 0
  for (const { verdicts } of groups) for (const text of verdicts.keys()) verdicts.set(text, tested[next++])
  return (event, { filterExpr, filterValues }) =>
    byEvent
      .get(event)
      ?.get(filterValues)
      ?.verdicts.get(filterExpr ?? '')
}
