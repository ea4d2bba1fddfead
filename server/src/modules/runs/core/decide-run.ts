/** Decides what happens to a run once everything that arrived is applied to its change. Pure. */

export interface Situation {
  /** A node failed and its attempts are used up. */
  hasFailed: boolean
  /** External calls under way, and those that start when the change is saved. */
  activeCalls: number
  /** Steps that wait for a time, an event, a person, child runs or their next attempt. */
  parkedSteps: number
  /** Milliseconds until the first of them is due; null when none has a time. */
  dueInMs: number | null
  /** Signals that arrived after the change was built. */
  pendingSignals: number
  /** Event waits that this change registers. */
  newWaits: number
  /** This server is stopping. */
  isDraining: boolean
  /** A node was ready and was left to the next holder of the run, because this server is stopping. */
  hasDeferred: boolean
}

/**
 * `release` puts the run back into the queue for another node; `park` sets it aside until something arrives or is due.
 * `recheck` checks the parked steps once more before parking: an event may have arrived just before its wait was saved.
 */
export type RunDecision = 'continue' | 'recheck' | 'park' | 'release' | 'succeed' | 'fail'

/** A run whose next attempt is this near isn't parked for it: claiming it again would cost more than waiting. */
export const nearMs = 3000

export const decideRun = (situation: Situation): RunDecision => {
  const { hasFailed, activeCalls, parkedSteps, dueInMs, pendingSignals, newWaits, isDraining, hasDeferred } = situation
  if (hasFailed) return 'fail'
  if (activeCalls > 0) return 'continue'
  if (isDraining && (hasDeferred || parkedSteps > 0)) return 'release'
  if (parkedSteps === 0) return 'succeed'
  if (pendingSignals > 0 || (dueInMs !== null && dueInMs < nearMs)) return 'continue'
  return newWaits > 0 ? 'recheck' : 'park'
}
