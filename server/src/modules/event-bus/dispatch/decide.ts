/** What each subscription makes of each event: the same events and the same past give the same decisions. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Firing, StoredEvent } from '../face.ts'
import { filterValues } from '../filter.ts'
import type { Fuse } from './fuse.ts'
import { findLoop } from './loop-guard.ts'
import type { Subscribed } from './subscription-index.ts'

export interface Match {
  event: StoredEvent
  subscribed: readonly Subscribed[]
}

/** What is known about the time before. */
export interface Past {
  isDecided(event: StoredEvent, subscriptionId: string): boolean
  fuse: Fuse
}

export interface Refusal extends Firing {
  decision: 'filter_false' | 'filter_error' | 'loop_guard'
  reason: string | null
}

export interface Decisions {
  firings: Firing[]
  refusals: Refusal[]
}

const judgeFilter = ({ filter }: Subscribed, values: readonly unknown[]): Omit<Refusal, keyof Firing> | undefined => {
  const verdict = filter?.(values) ?? { holds: true }
  if ('error' in verdict) return { decision: 'filter_error', reason: verdict.error }
  return verdict.holds ? undefined : { decision: 'filter_false', reason: null }
}

/** A thousand filters, each at the end of its budget, take seconds; requests are answered in between. */
const longestTurnMs = 10

export const decide = async (matches: readonly Match[], past: Past): Promise<Decisions> => {
  let turnBeganAt = performance.now()
  const decisions: Decisions = { firings: [], refusals: [] }

  for (const { event, subscribed } of matches) {
    const values = filterValues(event)
    for (const one of subscribed) {
      const { subscription } = one
      if (past.isDecided(event, subscription.id)) continue
      if (performance.now() - turnBeganAt > longestTurnMs) {
        await nextTurn()
        turnBeganAt = performance.now()
      }
      const refused = judgeFilter(one, values)
      if (refused) {
        decisions.refusals.push({ event, subscription, ...refused })
        continue
      }
      const reason = findLoop({ event, subscription, recent: past.fuse.recent(event, subscription) })
      if (reason === undefined) {
        past.fuse.count(event, subscription)
        decisions.firings.push({ event, subscription })
      } else decisions.refusals.push({ event, subscription, decision: 'loop_guard', reason })
    }
  }
  return decisions
}
