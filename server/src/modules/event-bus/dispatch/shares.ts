/**
 * How much filter time each tenant has left in the usual dispatch. Who has nothing left waits for its own turn
 * (`postponed`), so nobody else does. Per node, in memory. Pure.
 */
import { createPurses, type Purses } from '#kernel/turns/purses.ts'

/** An ordinary filter takes a few microseconds. */
const share = { fullMs: 25, refillMsPerSec: 25, maxDebtMs: 1000 }

export const createShares = (nowMs: () => number): Purses => createPurses(share, nowMs)

/** For one turn of a tenant that is over its share. At least one filter is tested in it. */
export const createTurn = (turnMs: number): Purses => {
  let usedMs = 0
  return {
    leftMs: () => turnMs - usedMs,
    charge: (_scopeId, ms) => {
      usedMs += ms
    },
  }
}
