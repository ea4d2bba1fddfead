/**
 * How a migration waits for locks. A statement that waits for a lock makes everybody queue behind it, so it waits
 * briefly, gives way, and tries again later.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Patience {
  lockTimeoutMs: number
  tries: number
  /** The pause after the first try; it doubles each time. */
  firstPauseMs: number
  longestPauseMs: number
}

/** Up to five minutes in all. */
export const usualPatience: Patience = { lockTimeoutMs: 3000, tries: 25, firstPauseMs: 500, longestPauseMs: 10_000 }

/** A lock was not to be had, or two transactions waited for each other and PostgreSQL ended this one. */
export const hasLostLock = (problem: unknown): boolean =>
  ['55P03', '40P01'].includes(String((problem as { code?: unknown }).code))

export const retryLocks = async <Result>(patience: Patience, work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work()
    } catch (problem) {
      if (!hasLostLock(problem) || attempt >= patience.tries) throw problem
      await sleep(Math.min(patience.longestPauseMs, patience.firstPauseMs * 2 ** (attempt - 1)))
    }
}
