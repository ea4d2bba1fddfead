/** Decides what each subscription does with each event. The same events and history always give the same decisions. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Firing, StoredEvent } from '../face.ts'
import { filterValues } from '../filter.ts'
import { findLoop } from './loop-guard.ts'
import type { RunCounts } from './run-counts.ts'
import type { Subscribed } from './subscription-index.ts'

export interface Match {
  event: StoredEvent
  subscribed: readonly Subscribed[]
}

/** What happened before this batch. */
export interface History {
  isDecided(event: StoredEvent, subscriptionId: string): boolean
  runCounts: RunCounts
}

export interface Refusal extends Firing {
  decision: 'filter_false' | 'filter_error' | 'loop_guard'
  reason: string | null
}

export interface Decisions {
  firings: Firing[]
  refusals: Refusal[]
}

const applyFilter = ({ filter }: Subscribed, values: readonly unknown[]): Omit<Refusal, keyof Firing> | undefined => {
  const verdict = filter?.(values) ?? { holds: true }
  if ('error' in verdict) return { decision: 'filter_error', reason: verdict.error }
  return verdict.holds ? undefined : { decision: 'filter_false', reason: null }
}

/** A thousand filters that each use up their budget take seconds, so requests are served in between. */
const maxTurnMs = 10

export const decide = async (matches: readonly Match[], history: History): Promise<Decisions> => {
  let turnStartedMs = performance.now()
  const decisions: Decisions = { firings: [], refusals: [] }

  for (const { event, subscribed } of matches) {
    const values = filterValues(event)
    for (const one of subscribed) {
      const { subscription } = one
      if (history.isDecided(event, subscription.id)) continue
      if (performance.now() - turnStartedMs > maxTurnMs) {
        await nextTurn()
        turnStartedMs = performance.now()
      }
      const refused = applyFilter(one, values)
      if (refused) {
        decisions.refusals.push({ event, subscription, ...refused })
        continue
      }
      const reason = findLoop({ event, subscription, recent: history.runCounts.recent(event, subscription) })
      if (reason === undefined) {
        history.runCounts.add(event, subscription)
        decisions.firings.push({ event, subscription })
      } else decisions.refusals.push({ event, subscription, decision: 'loop_guard', reason })
    }
  }
  return decisions
}
