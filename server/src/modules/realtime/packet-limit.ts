/** Pure. Limits what a client may send: a token bucket in which large packets cost more than small ones. */

/** The burst, and the refill per second. Browsers only send heartbeats and acknowledgements. */
const capacity = 200
const perSecond = 50
const charactersPerUnit = 16_384

export interface PacketLimit {
  /** False once the bucket is empty. */
  allows(length: number, nowMs: number): boolean
}

export const createPacketLimit = (): PacketLimit => {
  let level = capacity
  let lastMs: number | undefined
  return {
    allows: (length, nowMs) => {
      const passedMs = nowMs - (lastMs ?? nowMs)
      lastMs = nowMs
      level = Math.min(capacity, level + (passedMs * perSecond) / 1000) - 1 - Math.floor(length / charactersPerUnit)
      return level >= 0
    },
  }
}
