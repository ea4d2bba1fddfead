/**
 * Which events of the stream may be passed on. Places are drawn before transactions commit, so an event can become
 * visible while one before it is still on its way; whoever moved past would miss that one for good. Pure.
 *
 * Without a gap there is nothing to wait for. At a gap, one waits until every transaction that was open when the gap
 * was seen has ended: a transaction has its number before it draws a place, so whatever could still fill the gap is
 * among those. What is missing then was rolled back.
 */

/** A read of the stream behind `place`, with what was going on at that moment. */
interface Look<Event> {
  events: readonly Event[]
  /** Every transaction before this one had ended. */
  oldestOpen: bigint
  /** No transaction from this one on had begun. */
  nextNew: bigint
}

export interface SettledStream {
  /** Everything up to here has been passed on, or never will exist. */
  place(): number
  /** Answers the events that may be passed on now, and moves behind them. */
  advance<Event extends { seq: number }>(look: Look<Event>): Event[]
}

export const createSettledStream = (start: number): SettledStream => {
  let place = start
  let gap: { through: number; endsWith: bigint } | undefined

  const settledThrough = (last: number, { oldestOpen, nextNew }: Look<unknown>): number => {
    if (oldestOpen >= nextNew) return last
    return gap && oldestOpen >= gap.endsWith ? gap.through : place
  }
  return {
    place: () => place,
    advance: (look) => {
      const { events, nextNew } = look
      const last = events.at(-1)?.seq
      if (last === undefined) return []
      const through = settledThrough(last, look)
      let count = 0
      for (const { seq } of events) {
        if (seq !== place + 1 && seq > through) break
        place = seq
        count += 1
      }
      if (gap && place >= gap.through) gap = undefined
      if (count < events.length) gap ??= { through: last, endsWith: nextNew }
      return events.slice(0, count)
    },
  }
}
