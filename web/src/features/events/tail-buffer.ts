/**
 * The list of the explorer: events newest first, without gaps, with what came while the reader looked elsewhere.
 * Memory is bounded at the old end: what is cut there is read again when somebody scrolls down to it, since a cursor
 * is nothing but the place of the last event that is kept.
 */
import type { ListedEvent } from '@chancery/contract/events.ts'

export interface TailBuffer {
  /** Newest first. */
  shown: readonly ListedEvent[]
  /** Came, but are not shown yet; newest first. */
  held: readonly ListedEvent[]
  /** How many came since; more than are held where these were too many. */
  heldCount: number
  /** Where the past goes on; null where it has been read to its beginning. */
  older: string | null
}

export interface EventPage {
  data: readonly ListedEvent[]
  next_cursor: string | null
}

export const mostShown = 2000
export const mostHeld = 500
/** An event may become visible after one with a later place: the stream is asked from so many events before the end. */
const overlap = 20

export const startBuffer = (page: EventPage): TailBuffer => ({
  shown: page.data,
  held: [],
  heldCount: 0,
  older: page.next_cursor,
})

/** The place after which the stream shall begin. */
export const streamStart = ({ shown }: Pick<TailBuffer, 'shown'>): number =>
  (shown[Math.min(overlap, shown.length) - 1]?.seq ?? 1) - 1

/** Both in one, newest first, each once. */
function merged(events: readonly ListedEvent[], more: readonly ListedEvent[]): ListedEvent[] {
  const known = new Set(events.map(({ seq }) => seq))
  const fresh = more.filter(({ seq }) => !known.has(seq))
  return [...fresh, ...events].sort((one, other) => other.seq - one.seq)
}

function cut(buffer: TailBuffer): TailBuffer {
  if (buffer.shown.length <= mostShown) return buffer
  const shown = buffer.shown.slice(0, mostShown)
  return { ...buffer, shown, older: String(shown.at(-1)?.seq) }
}

/** Takes what the stream brought: into the list where the reader watches it, else beside it. */
export function withArrived(buffer: TailBuffer, events: readonly ListedEvent[], isWatching: boolean): TailBuffer {
  const known = new Set([...buffer.shown, ...buffer.held].map(({ seq }) => seq))
  const fresh = events.filter(({ seq }) => !known.has(seq))
  if (fresh.length === 0) return buffer
  if (isWatching) return withHeld({ ...buffer, held: merged(buffer.held, fresh) })
  return {
    ...buffer,
    held: merged(buffer.held, fresh).slice(0, mostHeld),
    heldCount: buffer.heldCount + fresh.length,
  }
}

/** Shows what was held. Where more came than could be, the list begins anew with the latest and reads on from there. */
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
