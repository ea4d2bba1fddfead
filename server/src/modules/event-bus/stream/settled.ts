/**
 * Which events of the stream may be passed on. Places are drawn before transactions commit, so an event can become
 * visible while one before it is still on its way; whoever moved past would miss that one for good. Pure.
 *
 * Without a gap there is nothing to wait for. At a gap, one asks which transactions are under way, and waits until all of
 * these have ended: a transaction has its number before it draws a place, so whatever could still fill the gap is among
 * them, or has ended since and shows at the next look. What is missing then was rolled back.
 */

/** A read of the stream behind `place`. */
interface Look<Event> {
  events: readonly Event[]
  /** The transactions that were under way just before it; needed only while the stream waits at a gap. */
  running: ReadonlySet<string> | undefined
}

export interface SettledStream {
  /** Everything up to here has been passed on, or never will exist. */
  place(): number
  isWaiting(): boolean
  /** Answers the events that may be passed on now, and moves behind them. */
  advance<Event extends { seq: number }>(look: Look<Event>): Event[]
}

/** Those of the first that are among the second. */
export const stillRunning = (open: ReadonlySet<string>, running: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...open].filter((xid) => running.has(xid)))

interface Gap {
  through: number
  /** Those that may still fill it; undefined until somebody asked after it was seen. */
  open: ReadonlySet<string> | undefined
}

export const createSettledStream = (start: number): SettledStream => {
  let place = start
  let gap: Gap | undefined

  const settledThrough = (running: ReadonlySet<string> | undefined): number => {
    if (!gap || !running) return place
    const open = gap.open === undefined ? running : stillRunning(gap.open, running)
    gap.open = open
    return open.size === 0 ? gap.through : place
  }
  return {
    place: () => place,
    isWaiting: () => gap !== undefined,
    advance: ({ events, running }) => {
      const through = settledThrough(running)
      let count = 0
      for (const { seq } of events) {
        if (seq !== place + 1 && seq > through) break
        place = seq
        count += 1
      }
      if (gap && place >= gap.through) gap = undefined
      const last = events.at(-1)
      if (count < events.length && last) gap ??= { through: last.seq, open: undefined }
      return events.slice(0, count)
    },
  }
}
