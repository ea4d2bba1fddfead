/**
 * Ended replies whose end the database has not taken yet. They stay in memory and alive (see heartbeat.ts) until it is
 * back. When they become too many the oldest are given up: what was saved of them stays, and the sweep ends them.
 */
export interface Unstored {
  /** The signal is aborted when the reply is given up. */
  keep(chars: number): { signal: AbortSignal; release(): void }
  /** The process ends. */
  giveUpAll(): void
}

const usualMaxChars = 100_000_000

export const createUnstored = (maxChars = usualMaxChars): Unstored => {
  /** In the order in which they ended. */
  const kept = new Map<AbortController, number>()
  let total = 0
  const release = (giving: AbortController): void => {
    total -= kept.get(giving) ?? 0
    kept.delete(giving)
  }
  const giveUp = (giving: AbortController): void => {
    release(giving)
    giving.abort()
  }
  return {
    keep: (chars) => {
      const giving = new AbortController()
      kept.set(giving, chars)
      total += chars
      for (const oldest of kept.keys()) {
        if (total <= maxChars || oldest === giving) break
        giveUp(oldest)
      }
      return { signal: giving.signal, release: () => release(giving) }
    },
    giveUpAll: () => {
      for (const giving of [...kept.keys()]) giveUp(giving)
    },
  }
}
