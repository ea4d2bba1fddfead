/**
 * How much filter time each tenant has left in the usual dispatch. What a tenant uses comes back within a second or so;
 * who has nothing left waits for its own turn (`postponed`), so nobody else does. Per node, in memory: forgetting it costs
 * a tenant's share once more. Pure.
 */
export interface Purse {
  leftMs(scopeId: string): number
  charge(scopeId: string, ms: number): void
}

/** The most a tenant can have. An ordinary filter takes a few microseconds. */
const fullMs = 25
const refillMsPerSec = 25
/** One evaluation may take longer than what was left: a tenant owes no more than this. */
const maxDebtMs = 1000
/** Only those that are not full are kept; they are looked through when there are so many. */
const maxKept = 10_000

export const createShares = (nowMs: () => number): Purse => {
  const kept = new Map<string, { leftMs: number; atMs: number }>()
  const leftMs = (scopeId: string): number => {
    const known = kept.get(scopeId)
    if (!known) return fullMs
    return Math.min(fullMs, known.leftMs + ((nowMs() - known.atMs) / 1000) * refillMsPerSec)
  }
  const forgetFull = (): void => {
    for (const scopeId of kept.keys()) if (leftMs(scopeId) >= fullMs) kept.delete(scopeId)
  }
  return {
    leftMs,
    charge: (scopeId, ms) => {
      if (ms <= 0) return
      const left = Math.max(-maxDebtMs, leftMs(scopeId) - ms)
      if (kept.size >= maxKept && !kept.has(scopeId)) forgetFull()
      kept.set(scopeId, { leftMs: left, atMs: nowMs() })
    },
  }
}

/** For one turn of a tenant that is over its share. At least one filter is tested in it. */
export const createTurn = (turnMs: number): Purse => {
  let usedMs = 0
  return {
    leftMs: () => turnMs - usedMs,
    charge: (_scopeId, ms) => {
      usedMs += ms
    },
  }
}
