/**
 * Decides what each subscription does with each event, as far as its tenant's share goes; the rest is left to the tenant's
 * turn. The same events and history always give the same decisions.
 */
import type { EvaluationError } from '#kernel/expressions/worker-jobs.ts'
import type { FilterCase, FilterVerdict } from '../filter.ts'
import type { Firing, StoredEvent, Subscription } from '../interface.ts'
import { findLoop } from './loop-guard.ts'
import type { Postponed } from './postponed.ts'
import type { RunCounts } from './run-counts.ts'

/** An event and one tenant's subscriptions to it. Those of one event follow each other, events in order. */
export interface Match {
  event: StoredEvent
  scopeId: string
  subscriptions: readonly Subscription[]
}

/** The facts from before this batch. */
export interface History {
  isDecided(event: StoredEvent, subscriptionId: string): boolean
  runCounts: RunCounts
}

/** Undefined for a filter that was not tested, because its tenant's time was used up. */
export type TestFilters = (cases: readonly FilterCase[]) => Promise<(FilterVerdict | undefined)[][]>

export interface Limits {
  ofScope: number
  inTotal: number
}

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

interface Rules {
  history: History
  /** The most decisions. */
  limits: Limits
  postponed: Postponed
  testFilters: TestFilters
}

export const decide = async (matches: readonly Match[], rules: Rules): Promise<Decisions> => {
  const open = openMatches(matches, rules)
  const cases = casesOf(open)
  const verdicts = (await rules.testFilters(cases)).flat().values()
  const decisions: Decisions = { firings: [], refusals: [] }
  const stopped = new Set<string>()
  for (const { event, scopeId, subscriptions } of open) {
    const own = subscriptions.map(({ filterExpr }) =>
      filterExpr === null ? ({ holds: true } as const) : verdicts.next().value,
    )
    if (!stopped.has(scopeId)) decideMatch({ event, subscriptions, verdicts: own }, decisions, rules.history)
    if (!stopped.has(scopeId) && !own.includes(undefined)) continue
    stopped.add(scopeId)
    rules.postponed.add(scopeId, event.seq)
  }
  return decisions
}

/** What is to be decided now: what was decided before is left out, and so is what waits for its tenant's turn. */
const openMatches = (matches: readonly Match[], { history, limits, postponed }: Rules): Match[] => {
  const counts = new Map<string, number>()
  let inTotal = 0
  const open: Match[] = []
  for (const { event, scopeId, subscriptions } of matches) {
    const undecided = subscriptions.filter(({ id }) => !history.isDecided(event, id))
    if (undecided.length === 0) continue
    const count = counts.get(scopeId) ?? 0
    const room = postponed.has(scopeId, event.seq) ? 0 : Math.min(limits.ofScope - count, limits.inTotal - inTotal)
    if (undecided.length > room) postponed.add(scopeId, event.seq)
    if (room <= 0) continue
    const some = undecided.slice(0, room)
    counts.set(scopeId, count + some.length)
    inTotal += some.length
    open.push({ event, scopeId, subscriptions: some })
  }
  return open
}

/** One for each event, so that the thread reads its values once. */
const casesOf = (open: readonly Match[]): FilterCase[] => {
  const cases: (FilterCase & { filters: string[]; scopeIds: string[] })[] = []
  for (const { event, scopeId, subscriptions } of open) {
    if (cases.at(-1)?.event !== event) cases.push({ event, filters: [], scopeIds: [] })
    for (const { filterExpr } of subscriptions)
      if (filterExpr !== null) {
        cases.at(-1)?.filters.push(filterExpr)
        cases.at(-1)?.scopeIds.push(scopeId)
      }
  }
  return cases
}

interface TestedMatch extends Pick<Match, 'event' | 'subscriptions'> {
  verdicts: readonly (FilterVerdict | undefined)[]
}

const decideMatch = (
  { event, subscriptions, verdicts }: TestedMatch,
  { firings, refusals }: Decisions,
  history: History,
): void => {
  for (const [index, subscription] of subscriptions.entries()) {
    const verdict = verdicts[index]
    if (!verdict) continue
    const refused = refusalOf(verdict) ?? guard(event, subscription, history)
    if (refused) refusals.push({ event, subscription, ...refused })
    else firings.push({ event, subscription })
  }
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
