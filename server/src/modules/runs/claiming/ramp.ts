/**
 * How many claimed runs may be under way that haven't shown yet that they leave the node alive: few at first, one more for
 * each that has. Those that were claimed twice in vain are claimed one at a time, so that one that ends its node takes no
 * other with it. Pure.
 */
export interface Ramp {
  /** The number of runs that may be claimed now. */
  room(): number
  /** Of these, how many that were claimed twice in vain. */
  suspects(): number
  begin(id: string, isSuspect: boolean): void
  /** The run has made progress, or has ended. Returns whether there is more room than before. */
  prove(id: string): boolean
  /** Saved, or parked at a call: enough for a run that isn't suspected. */
  isSuspect(id: string): boolean
}

const firstClaims = 8

export const createRamp = (most: number): Ramp => {
  /** Those under way without proof, and whether each is suspected. */
  const unproven = new Map<string, boolean>()
  let limit = Math.min(firstClaims, most)
  let suspects = 0
  return {
    room: () => Math.max(0, limit - unproven.size),
    suspects: () => (suspects === 0 ? 1 : 0),
    begin: (id, isSuspect) => {
      if (unproven.has(id)) return
      unproven.set(id, isSuspect)
      if (isSuspect) suspects += 1
    },
    prove: (id) => {
      const wasSuspect = unproven.get(id)
      if (wasSuspect === undefined) return false
      unproven.delete(id)
      if (wasSuspect) suspects -= 1
      limit = Math.min(most, limit + 1)
      return true
    },
    isSuspect: (id) => unproven.get(id) === true,
  }
}
