/** A clock that runs like the real one, but can be moved forward. */
import type { Clock } from '#kernel/clock.ts'

export interface TestClock extends Clock {
  /** Never goes back, and is moved with the rest. */
  monotonicMs(): number
  /** Nodes that have it check at once what is due, also where it is moved by nothing. */
  forward(change: { ms?: number; minutes?: number; days?: number }): void
}

export const createTestClock = (startMs = 0): TestClock => {
  let aheadMs = startMs
  const listeners: (() => void)[] = []
  return {
    now: () => new Date(Date.now() + aheadMs),
    monotonicMs: () => performance.now() + aheadMs,
    onMoved: (listener) => void listeners.push(listener),
    forward: ({ ms = 0, minutes = 0, days = 0 }) => {
      aheadMs += ms + minutes * 60_000 + days * 86_400_000
      for (const tell of listeners) tell()
    },
  }
}
