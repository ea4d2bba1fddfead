/**
 * Keeps calls away from a backend that fails again and again. After some failures in a row it rests; when the pause is
 * over one call may try, and its outcome decides. Pauses grow while such tries fail. Pure but for the clock.
 */
import type { Clock } from '#kernel/clock.ts'

const failuresToPause = 3
const firstPauseMs = 1000
const longestPauseMs = 60_000

export type Outcome = 'answered' | 'failed' | 'abandoned'

/** What an admitted call is: one of many, or the one that tries after a pause. */
export type Ticket = 'call' | 'probe'

export interface Breaker {
  /** Undefined while it rests. Whoever is admitted must settle. */
  admit(): Ticket | undefined
  /** Tells how an admitted call went. One that its caller abandoned says nothing about the backend. */
  settle(ticket: Ticket, outcome: Outcome): void
  isPaused(): boolean
  /** How long it rests on, in milliseconds. */
  pauseLeftMs(): number
}

export const createBreaker = (clock: Clock): Breaker => {
  let failures = 0
  let pauses = 0
  let pausedUntil = 0
  let isProbing = false
  const now = (): number => clock.now().getTime()
  const isOpen = (): boolean => failures >= failuresToPause

  const rest = (): void => {
    pausedUntil = now() + Math.min(firstPauseMs * 2 ** pauses, longestPauseMs)
    pauses += 1
  }
  const close = (): void => {
    failures = 0
    pauses = 0
  }

  return {
    admit: () => {
      if (!isOpen()) return 'call'
      if (isProbing || now() < pausedUntil) return undefined
      isProbing = true
      return 'probe'
    },
    settle: (ticket, outcome) => {
      if (ticket === 'probe') isProbing = false
      if (outcome === 'answered') close()
      if (outcome !== 'failed') return
      if (ticket === 'probe') rest()
      // Calls that were under way when the rest began tell nothing new.
      else if (!isOpen()) {
        failures += 1
        if (isOpen()) rest()
      }
    },
    isPaused: () => isOpen() && now() < pausedUntil,
    pauseLeftMs: () => (isOpen() ? Math.max(0, pausedUntil - now()) : 0),
  }
}
