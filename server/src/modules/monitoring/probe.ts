/**
 * Asks something we depend on, but never makes a health check wait for it (P8): after 80 ms without an answer the last
 * answer counts, until the question itself has been waiting for five seconds. So a busy moment is no outage, however
 * rarely anyone asks, and a database that never answers is one. One question at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises'

const patienceMs = 80
const usualFreshMs = 500
const hangingMs = 5000

interface Options {
  monotonicMs(): number
  /** For how long a good answer is not asked for again. */
  freshMs?: number
}

export interface Probe {
  isWell(): Promise<boolean>
}

/** `question` rejects where it gets no good answer. */
export const createProbe = (
  question: () => Promise<unknown>,
  { monotonicMs, freshMs = usualFreshMs }: Options,
): Probe => {
  let asking: Promise<boolean> | undefined
  let askedAt = 0
  let wellAt = Number.NEGATIVE_INFINITY
  /** True from the start: the database has just answered the migrations. */
  let wasWell = true

  const ask = async (): Promise<boolean> => {
    askedAt = monotonicMs()
    try {
      await question()
      wellAt = monotonicMs()
      wasWell = true
    } catch {
      wasWell = false
    }
    asking = undefined
    return wasWell
  }
  return {
    isWell: async () => {
      if (wasWell && monotonicMs() - wellAt < freshMs) return true
      asking ??= ask()
      const waited = new AbortController()
      const outOfPatience = sleep(patienceMs, undefined, { signal: waited.signal, ref: false }).catch(() => undefined)
      const answer = await Promise.race([asking, outOfPatience])
      waited.abort()
      return answer ?? (wasWell && monotonicMs() - askedAt < hangingMs)
    },
  }
}
