/** Decides what each subscription does with each event. The same events and history always give the same decisions. */
import type { EvaluationError } from '#kernel/expressions/worker-jobs.ts'
import type { FilterCase, FilterVerdict } from '../filter.ts'
import type { Firing, StoredEvent, Subscription } from '../interface.ts'
import { findLoop } from './loop-guard.ts'
import type { RunCounts } from './run-counts.ts'

export interface Match {
  event: StoredEvent
  subscriptions: readonly Subscription[]
}

/** The facts from before this batch. */
export interface History {
  isDecided(event: StoredEvent, subscriptionId: string): boolean
  runCounts: RunCounts
}

export type TestFilters = (cases: readonly FilterCase[]) => Promise<FilterVerdict[][]>

export interface Refusal extends Firing {
  decision: 'filter_false' | 'filter_error' | 'loop_guard'
  reason: string | null
  /** Set for `filter_error`. */
  error?: EvaluationError
}

export interface Decisions {
  firings: Firing[]
  refusals: Refusal[]
}

export const decide = async (
  matches: readonly Match[],
  history: History,
  testFilters: TestFilters,
): Promise<Decisions> => {
  const open = matches.map(({ event, subscriptions }) => ({
    event,
    subscriptions: subscriptions.filter(({ id }) => !history.isDecided(event, id)),
  }))
  const verdicts = await testFilters(
    open.map(({ event, subscriptions }) => ({
      event,
      filters: subscriptions.flatMap(({ filterExpr }) => filterExpr ?? []),
    })),
  )
  const decisions: Decisions = { firings: [], refusals: [] }
  for (const [index, { event, subscriptions }] of open.entries()) {
    const own = verdicts[index]?.values()
    for (const subscription of subscriptions) {
      const verdict = subscription.filterExpr === null ? undefined : own?.next().value
      const refused = (verdict && refusalOf(verdict)) ?? guard(event, subscription, history)
      if (refused) decisions.refusals.push({ event, subscription, ...refused })
      else decisions.firings.push({ event, subscription })
    }
  }
  return decisions
}

type Reason = Omit<Refusal, keyof Firing>

const refusalOf = (verdict: FilterVerdict): Reason | undefined => {
  if ('error' in verdict) return { decision: 'filter_error', reason: verdict.error.message, error: verdict.error }
  return verdict.holds ? undefined : { decision: 'filter_false', reason: null }
}

/** Counts a run that is about to start, unless it would be part of a loop. */
const guard = (event: StoredEvent, subscription: Subscription, { runCounts }: History): Reason | undefined => {
  const reason = findLoop({ event, subscription, recent: runCounts.recent(event, subscription) })
  if (reason !== undefined) return { decision: 'loop_guard', reason }
  runCounts.add(event, subscription)
  return undefined
}
