/**
 * Arrivals for one run that aren't handled yet: ends of calls, and requests to check what is parked or to save the
 * trace.
 */
import type { CallEnd } from './external-calls.ts'

export type Signal = CallEnd | 'check' | 'trace'

export interface Inbox {
  /** A second `check` or `trace` before the first is handled adds nothing. */
  post(signal: Signal): void
  take(): Signal | undefined
  readonly size: number
  /** Resolves when something is posted, or when the inbox is closed. */
  wait(): Promise<void>
  close(): void
}

export const createInbox = (onPost: () => void): Inbox => {
  const signals: Signal[] = []
  let wake: () => void = () => undefined
  let isClosed = false
  return {
    post: (signal) => {
      if (typeof signal === 'string' && signals.includes(signal)) return
      signals.push(signal)
      onPost()
      wake()
    },
    take: () => signals.shift(),
    get size() {
      return signals.length
    },
    wait: async () => {
      if (signals.length === 0 && !isClosed) await new Promise<void>((resolve) => (wake = resolve))
    },
    close: () => {
      isClosed = true
      wake()
    },
  }
}
