/** Pure. How much a client may send: a bucket that refills with time. Large packets weigh more than small ones. */

/** What may come at once, and what is refilled each second. Browsers send a heartbeat now and then, and answers. */
const capacity = 200
const perSecond = 50
const charactersPerUnit = 16_384

export interface Flood {
  /** False as soon as it is too much. */
  admits(length: number, nowMs: number): boolean
}

export const createFlood = (): Flood => {
  let level = capacity
  let lastMs: number | undefined
  return {
    admits: (length, nowMs) => {
      const passedMs = nowMs - (lastMs ?? nowMs)
      lastMs = nowMs
      level = Math.min(capacity, level + (passedMs * perSecond) / 1000) - 1 - Math.floor(length / charactersPerUnit)
      return level >= 0
    },
  }
}
