import type { EventOutcome } from '@chancery/contract/workflows/events.ts'
import { expect, it } from 'vitest'
import { afterRead, isDue, type OutcomeRead, readEveryMs } from './outcome-reads.ts'

const waiting: EventOutcome = { event_id: 'a', outcome: 'waiting', runs: 0, failed_runs: 0, active_runs: 0 }
const running: EventOutcome = { ...waiting, outcome: 'started', runs: 1, active_runs: 1 }

it('reads an outcome less often the longer it stays the same, often again after a change, and never once it is settled', () => {
  let known: OutcomeRead | undefined
  let nowMs = 0
  /** When it is read in the next two minutes of checking, in seconds from now. */
  const readsOf = (outcome: EventOutcome | null) => {
    const startMs = nowMs
    const times: number[] = []
    for (; nowMs - startMs < 120_000; nowMs += readEveryMs) {
      if (!isDue(known, nowMs)) continue
      known = afterRead(known, { outcome, readAtMs: nowMs })
      times.push((nowMs - startMs) / 1000)
    }
    return times
  }
  expect(readsOf(waiting)).toEqual([0, 2, 4, 6, 8, 10, 14, 22, 38, 54, 70, 86, 102, 118])
  expect(readsOf(running).slice(0, 5)).toEqual([14, 16, 18, 20, 22])
  expect(readsOf({ ...running, active_runs: 0 })).toHaveLength(1)
  expect(readsOf(null)).toEqual([])
})
