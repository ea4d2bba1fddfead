/**
 * Which events of the stream can be sent without missing one. Positions are assigned before transactions commit, so an
 * event can become visible while an earlier one is not; a reader that moved on would miss it. Pure.
 *
 * Without a gap there is nothing to wait for. At a gap, the stream asks which transactions are running and waits until
 * they have all ended: a transaction gets its id before it gets a position, so any event that can still fill the gap
 * belongs to one of them, or is already visible at the next read. What is still missing then was rolled back.
 */

/** The events read after `position`. */
interface Read<Event> {
  events: readonly Event[]
  /** The transactions that were running just before the read; needed only while the stream waits at a gap. */
  running: ReadonlySet<string> | undefined
}

export interface GapFreeStream {
  /** Everything up to here was returned, or will never exist. */
  position(): number
  isWaiting(): boolean
  /** Returns the events that can be sent now, and moves the position past them. */
  advance<Event extends { seq: number }>(read: Read<Event>): Event[]
}

/** The transactions of the first set that are also in the second. */
export const stillRunning = (open: ReadonlySet<string>, running: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...open].filter((xid) => running.has(xid)))

interface Gap {
  through: number
  /** The transactions that can still fill it; undefined until they were listed once after the gap was seen. */
  open: ReadonlySet<string> | undefined
}

export const createGapFreeStream = (start: number): GapFreeStream => {
  let position = start
  let gap: Gap | undefined

  const safeThrough = (running: ReadonlySet<string> | undefined): number => {
    if (!gap || !running) return position
    const open = gap.open === undefined ? running : stillRunning(gap.open, running)
    gap.open = open
    return open.size === 0 ? gap.through : position
  }
  return {
    position: () => position,
    isWaiting: () => gap !== undefined,
    advance: ({ events, running }) => {
      const through = safeThrough(running)
      let count = 0
      for (const { seq } of events) {
        if (seq !== position + 1 && seq > through) break
        position = seq
        count += 1
      }
      if (gap && position >= gap.through) gap = undefined
      const last = events.at(-1)
      if (count < events.length && last) gap ??= { through: last.seq, open: undefined }
      return events.slice(0, count)
    },
  }
}
