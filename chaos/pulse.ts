/** When something happened that should happen all the time, and for how long it did not. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Pulse {
  beat(): void
  /** Resolves once it happens again; throws after a time in which it should have. */
  next(patienceMs: number): Promise<void>
  /** The longest pause since then, up to now. */
  longestPauseSince(ms: number): number
}

export const createPulse = (): Pulse => {
  const beats: number[] = []
  return {
    beat: () => void beats.push(performance.now()),
    next: async (patienceMs) => {
      const before = beats.length
      const untilMs = performance.now() + patienceMs
      while (beats.length === before) {
        if (performance.now() > untilMs) throw new Error(`nothing happened for ${patienceMs} ms`)
        await sleep(20)
      }
    },
    longestPauseSince: (sinceMs) => {
      const times = [sinceMs, ...beats.filter((ms) => ms > sinceMs), performance.now()]
      return Math.max(...times.slice(1).map((ms, index) => ms - (times[index] ?? ms)))
    },
  }
}
