/**
 * A circuit breaker. After several failures in a row it pauses; when the pause is over, one call may probe, and its
 * outcome decides. Pauses grow while probes fail. Pure except for the clock.
 */
import type { Clock } from '#kernel/clock.ts'

const failuresToPause = 3
const firstPauseMs = 1000
export const longestPauseMs = 60_000
/** A probe that has no outcome after this time no longer keeps others from trying. */
const probeLimitMs = 5000

export type Outcome = 'answered' | 'failed' | 'abandoned'

/** An allowed call. The caller must settle it. */
export interface Permit {
  isProbe: boolean
}

export interface Breaker {
  /** Undefined while it is paused. */
  tryAcquire(): Permit | undefined
  /** Reports how a call went. An abandoned call says nothing about the backend. */
  settle(permit: Permit, outcome: Outcome): void
  isPaused(): boolean
  pauseLeftMs(): number
}

/** A call outside of a probe. */
export const ordinary: Permit = { isProbe: false }

export const createBreaker = (clock: Clock): Breaker => {
  let failures = 0
  let pauses = 0
  let pausedUntil = 0
  let probe: { permit: Permit; until: number } | undefined
  const now = (): number => clock.now().getTime()
  const isOpen = (): boolean => failures >= failuresToPause

  const pause = (): void => {
    pausedUntil = now() + Math.min(firstPauseMs * 2 ** pauses, longestPauseMs)
    pauses += 1
  }
  const close = (): void => {
    failures = 0
    pauses = 0
    probe = undefined
  }

  return {
    tryAcquire: () => {
      if (!isOpen()) return ordinary
      if (now() < pausedUntil || (probe && now() < probe.until)) return undefined
      probe = { permit: { isProbe: true }, until: now() + probeLimitMs }
      return probe.permit
    },
    settle: (permit, outcome) => {
      const isCurrentProbe = probe?.permit === permit
      if (isCurrentProbe) probe = undefined
      if (outcome === 'answered') close()
      if (outcome !== 'failed') return
      if (isCurrentProbe) pause()
      // Calls that were already running when the pause began, and overtaken probes, say nothing new.
      else if (!permit.isProbe && !isOpen()) {
        failures += 1
        if (isOpen()) pause()
      }
    },
    isPaused: () => isOpen() && now() < pausedUntil,
    pauseLeftMs: () => (isOpen() ? Math.max(0, pausedUntil - now()) : 0),
  }
}
