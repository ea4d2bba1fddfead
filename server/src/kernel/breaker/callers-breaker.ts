/**
 * A circuit breaker for what many callers use, where a request itself can make the other side fail: a prompt, a recording, a
 * text. Each caller has a breaker of their own, and only failures of several callers pause it for all.
 */
import type { Clock } from '../clock.ts'
import { type Breaker, createBreaker, type Outcome, type Permit } from './breaker.ts'

const callersToPause = 3
/** Of callers whose calls failed since the last answer. */
const mostCallers = 1000

export interface CallersBreaker {
  /** Returns what to call with the outcome, or while it is paused for this caller the breaker that says for how long. */
  acquire(caller: string): { settle(outcome: Outcome): void } | { pausedBy: Breaker }
  /** For everybody. */
  isPaused(): boolean
}

export const createCallersBreaker = (clock: Clock): CallersBreaker => {
  const shared = createBreaker(clock, { callersToPause })
  const own = new Map<string, Breaker>()

  const ownOf = (caller: string): Breaker => {
    const known = own.get(caller) ?? createBreaker(clock)
    if (!own.has(caller) && own.size >= mostCallers) own.clear()
    own.set(caller, known)
    return known
  }
  const settle = (caller: string, permits: { all: Permit; mine: Permit }, outcome: Outcome): void => {
    shared.settle(permits.all, outcome, caller)
    if (outcome === 'answered') own.delete(caller)
    else ownOf(caller).settle(permits.mine, outcome)
  }
  return {
    acquire: (caller) => {
      const all = shared.tryAcquire()
      if (!all) return { pausedBy: shared }
      const mine = own.get(caller)
      // Its permit is an ordinary one while nothing of this caller's has failed.
      const permit = mine ? mine.tryAcquire() : { isProbe: false }
      if (mine && !permit) {
        shared.settle(all, 'abandoned')
        return { pausedBy: mine }
      }
      return { settle: (outcome) => settle(caller, { all, mine: permit ?? { isProbe: false } }, outcome) }
    },
    isPaused: () => shared.isPaused(),
  }
}
