/** Finds the event that each waiting node takes. A filter that fails matches nothing. */

import { type TestVerdict, toExpressionError } from '#kernel/expressions/expressions.ts'
import type { StoredEvent, TestMetered } from '#modules/event-bus/index.ts'
import { waitNames } from '#modules/workflow-graph/index.ts'
import { type Group, groupsOf, requestsOf, type Wait } from './filter-requests.ts'

export interface Match {
  event: StoredEvent | undefined
  /** Why the filter failed for an event before it, if it did. */
  problem: string | undefined
  /** The event for which its filter was not tested, because its tenant's time was used up; later ones were not looked at. */
  untested?: StoredEvent
}

/**
 * For each wait the first of its events that passes its filter. `between` is called between two requests to the
 * evaluating thread, each of which may take seconds.
 */
export const findFirstMatches = async (
  test: TestMetered,
  waits: readonly Wait[],
  between?: () => Promise<void>,
): Promise<Match[]> => {
  const keys = waits.map(({ filterExpr, filterValues, scopeId }) => JSON.stringify([filterExpr, filterValues, scopeId]))
  const verdicts: Verdicts = new Map()
  let isFirst = true
  for (const groups of requestsOf(groupsOf(waits, keys))) {
    if (!isFirst) await between?.()
    isFirst = false
    addVerdicts(verdicts, groups, await test({ names: waitNames, groups }))
  }
  return waits.map((wait, index) => {
    let problem: string | undefined
    for (const event of wait.events) {
      if (wait.filterExpr === null) return { event, problem }
      const verdict = verdicts.get(event)?.get(keys[index] ?? '')
      if (!verdict) return { event: undefined, problem, untested: event }
      if ('error' in verdict) problem ??= toExpressionError(verdict.error).message
      else if (verdict.holds) return { event, problem }
    }
    return { event: undefined, problem }
  })
}

type Verdicts = Map<StoredEvent, Map<string, TestVerdict | undefined>>

const addVerdicts = (
  verdicts: Verdicts,
  groups: readonly Group[],
  tested: readonly (TestVerdict | undefined)[],
): void => {
  let next = 0
  for (const { event, keys } of groups) {
    const own: Map<string, TestVerdict | undefined> = verdicts.get(event) ?? new Map()
    verdicts.set(event, own)
    for (const key of keys) own.set(key, tested[next++])
  }
}
