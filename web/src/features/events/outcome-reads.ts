/** Pure. When the screen reads again what became of an event. */
import type { EventOutcome } from '@chancery/contract/workflows/events.ts'

export interface OutcomeRead {
  /** Null is an event that is gone. */
  outcome: EventOutcome | null
  readAtMs: number
  /** Reads in a row with the same outcome as before. */
  repeats: number
}

export const readEveryMs = 2000
const maxPauseMs = 15_000
/** So many repeats are read without a longer pause: most events are done within seconds. */
const quickRepeats = 5

export const isSettled = (known: OutcomeRead | undefined): boolean =>
  known !== undefined &&
  (known.outcome === null || (known.outcome.outcome !== 'waiting' && known.outcome.active_runs === 0))

/** Less often the longer nothing changes: a queue may be long, and approvals take hours. */
export function isDue(known: OutcomeRead | undefined, nowMs: number): boolean {
  if (known === undefined || known.repeats < quickRepeats) return !isSettled(known)
  const pauseMs = Math.min(readEveryMs * 2 ** (known.repeats - quickRepeats + 1), maxPauseMs)
  return !isSettled(known) && nowMs - known.readAtMs >= pauseMs
}

export function afterRead(
  before: OutcomeRead | undefined,
  { outcome, readAtMs }: Omit<OutcomeRead, 'repeats'>,
): OutcomeRead {
  const isSame = before !== undefined && JSON.stringify(before.outcome) === JSON.stringify(outcome)
  return { outcome, readAtMs, repeats: isSame ? before.repeats + 1 : 0 }
}
