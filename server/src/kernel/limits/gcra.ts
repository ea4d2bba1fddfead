/**
 * The arithmetic of a rate limit, as one number per key (GCRA, the leaky bucket as a meter): the moment at which the
 * key's debt is paid off. A full allowance may be spent at once; after that one more is granted each `window / max`.
 * Whole microseconds throughout, because fractions of a millisecond of today's epoch do not add up in a double.
 * Pure: the memory store calls it, and the Redis script is the same lines in Lua.
 */
export interface Rate {
  max: number
  windowSec: number
}

export interface Spending {
  allowed: boolean
  /** The number of calls that are left right now. */
  remaining: number
  retryAfterUs: number
  /** Store this as the key's new debt; unchanged when refused, so that hammering does not prolong the wait. */
  paidOffAtUs: number
}

/** `times` are granted together or not at all. */
export const spend = (
  paidOffAtUs: number | undefined,
  nowUs: number,
  { max, windowSec }: Rate,
  times = 1,
): Spending => {
  const windowUs = windowSec * 1_000_000
  const costUs = Math.floor(windowUs / max)
  const before = Math.max(paidOffAtUs ?? nowUs, nowUs)
  const after = before + costUs * times
  const spareUs = windowUs - (after - nowUs)
  if (spareUs < 0) return { allowed: false, remaining: 0, retryAfterUs: -spareUs, paidOffAtUs: before }
  return { allowed: true, remaining: Math.floor(spareUs / costUs), retryAfterUs: 0, paidOffAtUs: after }
}
