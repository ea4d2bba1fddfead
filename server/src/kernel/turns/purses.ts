/**
 * How much time each tenant has left of something that others wait for too. What a tenant uses comes back at a fixed rate.
 * In memory, of this process: forgetting it costs a tenant's share once more. Pure.
 */
export interface Purses {
  leftMs(tenant: string): number
  charge(tenant: string, ms: number): void
}

interface Share {
  /** The most a tenant can have. */
  fullMs: number
  refillMsPerSec: number
  /** One use may take longer than what was left: a tenant owes no more than this. */
  maxDebtMs: number
}

/** Only those that are not full are kept; they are looked through when there are so many. */
const maxKept = 10_000

export const createPurses = ({ fullMs, refillMsPerSec, maxDebtMs }: Share, nowMs: () => number): Purses => {
  const kept = new Map<string, { leftMs: number; atMs: number }>()
  const leftMs = (tenant: string): number => {
    const known = kept.get(tenant)
    if (!known) return fullMs
    return Math.min(fullMs, known.leftMs + ((nowMs() - known.atMs) / 1000) * refillMsPerSec)
  }
  const forgetFull = (): void => {
    for (const tenant of kept.keys()) if (leftMs(tenant) >= fullMs) kept.delete(tenant)
  }
  return {
    leftMs,
    charge: (tenant, ms) => {
      if (ms <= 0) return
      const left = Math.max(-maxDebtMs, leftMs(tenant) - ms)
      if (kept.size >= maxKept && !kept.has(tenant)) forgetFull()
      kept.set(tenant, { leftMs: left, atMs: nowMs() })
    },
  }
}
