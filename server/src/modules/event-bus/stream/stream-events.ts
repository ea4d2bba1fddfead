/**
 * One client's stream: first the events it missed, from the database, then live events. It never waits for a slow
 * client: one that falls too far behind is sent `overflow`, disconnected, and can resume from its last id. The kernel
 * drops a client that does not read at all (`raw-reply.ts`).
 */
import type { Actor } from '#kernel/http/actor.ts'
import type { Outlet, WriteBody } from '#kernel/http/replies/raw-reply.ts'
import { instanceScope, scopeOf } from '#kernel/http/scope.ts'
import { formatSse } from '#kernel/sse/format-sse.ts'
import type { EventBusContext } from '../context.ts'
import type { StoredEvent } from '../interface.ts'
import { type EventFilter, listEvents } from '../queries/event-pages.ts'
import { readLastSeqUnscoped } from '../queries/events.ts'
import type { OpenStream, Streams } from './streams.ts'
import { frameOf, type Tail } from './tail.ts'

/** The most bytes that are buffered for one client. */
const maxBufferedBytes = 1_048_576
const pageBounds = { limit: 200, bytes: maxBufferedBytes }

interface Request {
  filter: EventFilter
  /** The last position the client has; undefined starts now. */
  after: number | undefined
  isStillAuthorized(): Promise<boolean>
}

interface Parts extends Pick<EventBusContext, 'db'> {
  tail: Tail
  streams: Streams
}

/**
 * Acquires the tail before the reply's head is sent, so that everything that is published after that reaches the client.
 * The head and a first comment go out at once, whatever stays open in the database; events come when they are settled.
 */
export const streamEvents = async (parts: Parts, actor: Actor, request: Request): Promise<WriteBody> => {
  const { tail, streams } = parts
  const now = await tail.acquire()
  return async (outlet) => {
    const ending = Promise.withResolvers<void>()
    const client: ClientState = {
      outlet,
      isOver: false,
      ended: ending.promise,
      end: () => {
        client.isOver = true
        ending.resolve()
      },
    }
    const stream: OpenStream = {
      ping: () => {
        // A client that has not read the last bytes must not look alive because of our pings.
        if (outlet.waiting === 0) outlet.write(': ping\n\n')
      },
      isStillAuthorized: request.isStillAuthorized,
      end: client.end,
    }
    streams.add(stream)
    outlet.onClose(client.end)
    // Disconnected before the stream started: `onClose` is not called any more.
    if (!outlet.isOpen) client.end()
    try {
      outlet.write(': open\n\n')
      await Promise.race([tail.settled(), client.ended])
      if (client.isOver) return
      const after = await startOf(parts, request.after, now)
      const position = await catchUp(parts, actor, { ...request, after, client })
      if (position !== undefined) await sendLive(parts, actor, { filter: request.filter, position, client })
    } finally {
      streams.remove(stream)
      tail.release()
    }
  }
}

/**
 * Where a client goes on. A position that was never given out, as after the restore of an older backup, would keep
 * everything from it until the stream gets there.
 */
const startOf = async ({ db, tail }: Parts, after: number | undefined, now: number): Promise<number> => {
  if (after === undefined) return now
  return after <= tail.position() || after <= (await readLastSeqUnscoped(db)) ? after : now
}

interface ClientState {
  outlet: Outlet
  isOver: boolean
  ended: Promise<void>
  end(): void
}

/** Resolves to the position reached, which is the tail's at that moment; undefined if the client left before. */
const catchUp = async (
  { db, tail }: Parts,
  actor: Actor,
  { filter, after, client }: { filter: EventFilter; after: number; client: ClientState },
): Promise<number | undefined> => {
  const { outlet } = client
  let position = after
  while (position < tail.position()) {
    const end = tail.position()
    const page = { ...filter, after: position, before: end + 1 }
    const { events, isFull } = await listEvents(db, actor, { ...page, ...pageBounds, order: 'asc' })
    if (client.isOver) return undefined
    for (const event of events) outlet.write(frameOf(event))
    await Promise.race([outlet.drained(), client.ended])
    if (client.isOver) return undefined
    position = isFull ? (events.at(-1)?.seq ?? end) : end
  }
  return position
}

const sendLive = async (
  { tail }: Parts,
  actor: Actor,
  { filter, position, client }: { filter: EventFilter; position: number; client: ClientState },
): Promise<void> => {
  const { outlet } = client
  const stop = tail.listen((events) => {
    if (client.isOver) return
    for (const { event, frame } of events) if (event.seq > position && isFor(actor, filter, event)) outlet.write(frame)
    if (outlet.waiting <= maxBufferedBytes) return
    outlet.write(formatSse({ event: 'overflow', data: '{}' }))
    client.end()
  })
  await client.ended
  stop()
}

const isFor = (actor: Actor, filter: EventFilter, event: StoredEvent): boolean =>
  (event.scopeId === instanceScope || event.scopeId === scopeOf(actor)) &&
  (filter.eventType === undefined || filter.eventType === event.eventType) &&
  (filter.correlationId === undefined || filter.correlationId === event.correlationId) &&
  (filter.source === undefined || filter.source === event.source)
