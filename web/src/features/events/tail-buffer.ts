/**
 * The explorer's event list: newest first, without gaps, plus events that arrived while the reader looked elsewhere.
 * Memory is limited at the old end: events cut there are loaded again when scrolled to, because a cursor is just the
 * sequence number of the last event in the list.
 */
import type { ListedEvent } from '@chancery/contract/workflows/events.ts'

export interface TailBuffer {
  /** Newest first. */
  shown: readonly ListedEvent[]
  /** Arrived but not shown yet; newest first. */
  held: readonly ListedEvent[]
  /** The number that arrived; more than are held if there were too many. */
  heldCount: number
  /** The cursor for older events; null if the beginning has been reached. */
  older: string | null
}

export interface EventPage {
  data: readonly ListedEvent[]
  next_cursor: string | null
}

export const maxShown = 2000
export const maxHeld = 500
/**
 * An event can become visible after one with a higher sequence number, so the stream is asked for this many events
 * again.
 */
const overlap = 20

export const startBuffer = (page: EventPage): TailBuffer => ({
  shown: page.data,
  held: [],
  heldCount: 0,
  older: page.next_cursor,
})

/** The sequence number after which the stream starts. */
export const streamStart = ({ shown }: Pick<TailBuffer, 'shown'>): number =>
  (shown[Math.min(overlap, shown.length) - 1]?.seq ?? 1) - 1

/** Merges both, newest first, without duplicates. */
function merged(events: readonly ListedEvent[], more: readonly ListedEvent[]): ListedEvent[] {
  const known = new Set(events.map(({ seq }) => seq))
  const fresh = more.filter(({ seq }) => !known.has(seq))
  return [...fresh, ...events].sort((one, other) => other.seq - one.seq)
}

function cut(buffer: TailBuffer): TailBuffer {
  if (buffer.shown.length <= maxShown) return buffer
  const shown = buffer.shown.slice(0, maxShown)
  return { ...buffer, shown, older: String(shown.at(-1)?.seq) }
}

/** Adds events from the stream: to the list while following, else to the held ones. */
export function withArrived(buffer: TailBuffer, events: readonly ListedEvent[], isWatching: boolean): TailBuffer {
  const known = new Set([...buffer.shown, ...buffer.held].map(({ seq }) => seq))
  const fresh = events.filter(({ seq }) => !known.has(seq))
  if (fresh.length === 0) return buffer
  if (isWatching) return withHeld({ ...buffer, held: merged(buffer.held, fresh) })
  return {
    ...buffer,
    held: merged(buffer.held, fresh).slice(0, maxHeld),
    heldCount: buffer.heldCount + fresh.length,
  }
}

/**
 * Shows held events. If more arrived than could be held, the list restarts from the latest and continues from there.
 */
export function withHeld(buffer: TailBuffer): TailBuffer {
  const { held, heldCount } = buffer
  if (held.length === 0) return buffer
  const rest = { held: [], heldCount: 0 }
  if (heldCount > held.length) return { ...rest, shown: held, older: String(held.at(-1)?.seq) }
  return cut({ ...buffer, ...rest, shown: merged(buffer.shown, held) })
}

export const withOlder = (buffer: TailBuffer, page: EventPage): TailBuffer => ({
  ...buffer,
  shown: merged(buffer.shown, page.data),
  older: page.next_cursor,
})
