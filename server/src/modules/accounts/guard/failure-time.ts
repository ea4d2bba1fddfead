/**
 * Failed sign-ins take equally long, whether a directory was asked or not: a slow directory would otherwise tell which
 * addresses have an account behind it. Each failure waits as long as the slowest directory of the last minute took.
 */
import { setTimeout as sleep } from 'node:timers/promises'

const rememberMs = 60_000
const longestMs = 10_000

export interface FailureTime {
  /** A password source took this long. */
  note(tookMs: number): void
  /** Resolves once a failure that began then has taken as long as any other. */
  wait(startedAt: number): Promise<void>
}

interface Options {
  /** Milliseconds that only rise. */
  now?(): number
  pause?(ms: number): Promise<unknown>
}

export const createFailureTime = ({ now = () => performance.now(), pause = sleep }: Options = {}): FailureTime => {
  let slowest = { ms: 0, until: 0 }
  return {
    note: (tookMs) => {
      const isSlower = tookMs >= slowest.ms || now() > slowest.until
      if (isSlower) slowest = { ms: Math.min(tookMs, longestMs), until: now() + rememberMs }
    },
    wait: async (startedAt) => {
      const leftMs = now() > slowest.until ? 0 : slowest.ms - (now() - startedAt)
      if (leftMs > 0) await pause(leftMs)
    },
  }
}
