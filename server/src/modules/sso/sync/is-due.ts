/** Pure. When a company needs a pass, and when one that left something over is tried again. */
import type { SyncState } from './state-queries.ts'

const hourMs = 3_600_000
const longestDelayMs = 6 * hourMs

/** A pass that was queued and never ended, because its job was lost, is asked for again. */
const lostAfterMs = hourMs

/** Also where nothing seems to have changed: what a person changed of themselves here, say. Spread over an hour. */
const longestMs = (organizationId: string): number =>
  24 * hourMs + (Number.parseInt(organizationId.slice(-4), 16) % 3600) * 1000

const isPast = (since: Date | null, ms: number, now: Date): boolean =>
  since !== null && now.getTime() - since.getTime() >= ms

export const isDue = (state: SyncState | undefined, found: { digest: string; now: Date }): boolean => {
  const { digest, now } = found
  if (!state) return true
  if (state.requestedAt !== null && !isPast(state.requestedAt, lostAfterMs, now)) return false
  const hasChangedThere = state.digest !== null && state.digest !== digest
  if (state.retryAt !== null) return hasChangedThere || state.retryAt <= now
  return state.digest === null || hasChangedThere || isPast(state.passedAt, longestMs(state.organizationId), now)
}

/** Doubles with each pass in a row that left something over. */
export const retryAt = (tries: number, { now, everyMs }: { now: Date; everyMs: number }): Date =>
  new Date(now.getTime() + Math.min(everyMs * 2 ** tries, longestDelayMs))
