/** Which lanes this node dispatches next: those that may have something due, in turn. Pure. */

export interface LaneTurns {
  /** Something may be due in these. */
  add(lanes: Iterable<number>): void
  /** The next lanes, at most so many. They are left alone until `done`. */
  next(count: number, nowMs: number): number[]
  /** Not to be taken before this time, also when another caller adds it. */
  done(lane: number, notBeforeMs: number): void
  /** When a lane may be taken: undefined if nothing is due, apart from what is under way. */
  nextAtMs(): number | undefined
}

export const createLaneTurns = (): LaneTurns => {
  // A Set keeps its order: a lane that is added again after its turn goes to the end.
  const due = new Set<number>()
  const underWay = new Set<number>()
  const notBefore = new Map<number, number>()
  const startOf = (lane: number): number => notBefore.get(lane) ?? 0
  return {
    add: (lanes) => {
      for (const lane of lanes) due.add(lane)
    },
    next: (count, nowMs) => {
      const taken = [...due].filter((lane) => !underWay.has(lane) && startOf(lane) <= nowMs).slice(0, count)
      for (const lane of taken) {
        due.delete(lane)
        underWay.add(lane)
      }
      return taken
    },
    done: (lane, notBeforeMs) => {
      underWay.delete(lane)
      notBefore.set(lane, notBeforeMs)
    },
    nextAtMs: () => {
      const free = [...due].filter((lane) => !underWay.has(lane))
      return free.length > 0 ? Math.min(...free.map(startOf)) : undefined
    },
  }
}
