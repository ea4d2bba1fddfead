/**
 * Which of the lanes in which something is due this node dispatches: its own, and those of other nodes whose first event is
 * still there after a second. Their node is gone, frozen or was not told, or has too much to do. Pure.
 */
import type { DueLane } from '../queries/lanes.ts'

/** A little less than the time between two checks. */
const patienceMs = 900

interface Chosen {
  usual: number[]
  postponed: number[]
  /** Left to other nodes. */
  others: number[]
}

export interface Patience {
  choose(due: readonly DueLane[], own: ReadonlySet<number>, nowMs: number): Chosen
}

export const createPatience = (): Patience => {
  /** Since when a position has been the first of its queue. */
  let since = new Map<string, number>()
  return {
    choose: (due, own, nowMs) => {
      const seen = new Map<string, number>()
      const isTaken = (lane: number, queue: string, first: number | null): boolean => {
        if (first === null) return false
        const name = `${lane} ${queue} ${first}`
        const sinceMs = since.get(name) ?? nowMs
        seen.set(name, sinceMs)
        return own.has(lane) || nowMs - sinceMs >= patienceMs
      }
      const chosen: Chosen = { usual: [], postponed: [], others: [] }
      for (const { lane, batch, single, postponed } of due) {
        const batchTaken = isTaken(lane, 'batch', batch)
        const singleTaken = isTaken(lane, 'single', single)
        if (batchTaken || singleTaken) chosen.usual.push(lane)
        if (isTaken(lane, 'postponed', postponed)) chosen.postponed.push(lane)
        if (!own.has(lane)) chosen.others.push(lane)
      }
      since = seen
      return chosen
    },
  }
}
