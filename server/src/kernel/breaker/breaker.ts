/**
 * A circuit breaker. After several failures in a row it pauses; when the pause is over, one call may probe, and its
 * outcome decides. Pauses grow while probes fail. Pure except for the clock. What one caller's requests can cause needs a
 * `CallersBreaker`.
 */
import type { Clock } from '../clock.ts'

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
  /** Reports how a call went, and whose it was. An abandoned call says nothing about the backend. */
  settle(permit: Permit, outcome: Outcome, caller?: string): void
  isPaused(): boolean
  pauseLeftMs(): number
}

/** A call outside of a probe. */
export const ordinary: Permit = { isProbe: false }

/** It pauses only once calls of so many callers have failed. */
export const createBreaker = (clock: Clock, { callersToPause = 1 }: { callersToPause?: number } = {}): Breaker => {
  let failures = 0
  const failing = new Set<string>()
  let pauses = 0
  let pausedUntil = 0
  let probe: { permit: Permit; until: number } | undefined
  const now = (): number => clock.now().getTime()
  const isOpen = (): boolean => failures >= failuresToPause && failing.size >= callersToPause

  const pause = (): void => {
    pausedUntil = now() + Math.min(firstPauseMs * 2 ** pauses, longestPauseMs)
    pauses += 1
  }
  const close = (): void => {
    failures = 0
    failing.clear()
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
    settle: (permit, outcome, caller = '') => {
      const isCurrentProbe = probe?.permit === permit
      if (isCurrentProbe) probe = undefined
      if (outcome === 'answered') close()
      if (outcome !== 'failed') return
      if (isCurrentProbe) pause()
      // Calls that were already running when the pause began, and overtaken probes, say nothing new.
      else if (!permit.isProbe && !isOpen()) {
        failures += 1
        failing.add(caller)
        if (isOpen()) pause()
      }
    },
    isPaused: () => isOpen() && now() < pausedUntil,
    pauseLeftMs: () => (isOpen() ? Math.max(0, pausedUntil - now()) : 0),
  }
}
