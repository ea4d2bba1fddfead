/**
 * One client's stream: first what it missed, from the database, then what comes. It never waits for a slow reader: one
 * that falls too far behind is told so and let go, and resumes from its last id. One that does not even take that is cut
 * off by the kernel (`raw-reply.ts`).
 */

import type { Actor } from '#kernel/http/actor.ts'
import type { Outlet, WriteBody } from '#kernel/http/raw-reply.ts'
import { instanceScope, scopeOf } from '#kernel/http/scope.ts'
import { formatSse } from '#kernel/sse/format-sse.ts'
import type { EventBusContext } from '../context.ts'
import type { StoredEvent } from '../face.ts'
import { type EventFilter, listEvents } from '../queries/event-pages.ts'
import type { OpenStream, Streams } from './streams.ts'
import { frameOf, type Tail } from './tail.ts'

/** How much may wait in memory for one reader. */
const mostWaiting = 1_048_576
const pageBounds = { limit: 200, bytes: mostWaiting }

interface Request {
  filter: EventFilter
  /** The last place the client has; undefined begins now. */
  after: number | undefined
  isStillAdmitted(): Promise<boolean>
}

interface Parts extends Pick<EventBusContext, 'db'> {
  tail: Tail
  streams: Streams
}

/** Holds the tail before the head of the reply is sent: whatever is published after that reaches the client. */
export const streamEvents = async (parts: Parts, actor: Actor, request: Request): Promise<WriteBody> => {
  const { tail, streams } = parts
  const now = await tail.hold()
  return async (outlet) => {
    const ending = Promise.withResolvers<void>()
    const client: ClientState = {
      ...{ outlet, isOver: false, ended: ending.promise },
      end: () => {
        client.isOver = true
        ending.resolve()
      },
    }
    const stream: OpenStream = {
      ping: () => {
        // Whoever has not taken the last words needs no sign of life, and must not look alive by ours.
        if (outlet.waiting === 0) outlet.write(': ping\n\n')
      },
      isStillAdmitted: request.isStillAdmitted,
      end: client.end,
    }
    streams.add(stream)
    outlet.onClose(client.end)
    // Gone before it began: then nobody says so any more.
    if (!outlet.isOpen) client.end()
    try {
      const place = await catchUp(parts, actor, { ...request, after: request.after ?? now, client })
      if (place !== undefined) await followOn(parts, actor, { filter: request.filter, place, client })
    } finally {
      streams.remove(stream)
      tail.release()
    }
  }
}

interface ClientState {
  outlet: Outlet
  isOver: boolean
  ended: Promise<void>
  end(): void
}

/** Answers the place reached, which is the tail's at that very moment; undefined when it is over before. */
const catchUp = async (
  { db, tail }: Parts,
  actor: Actor,
  { filter, after, client }: { filter: EventFilter; after: number; client: ClientState },
): Promise<number | undefined> => {
  const { outlet } = client
  let place = after
  while (place < tail.place()) {
    const end = tail.place()
    const page = { ...filter, after: place, before: end + 1 }
    const { events, isFull } = await listEvents(db, actor, { ...page, ...pageBounds, order: 'asc' })
    if (client.isOver) return undefined
    for (const event of events) outlet.write(frameOf(event))
    await Promise.race([outlet.drained(), client.ended])
    if (client.isOver) return undefined
    place = isFull ? (events.at(-1)?.seq ?? end) : end
  }
  return place
}

const followOn = async (
  { tail }: Parts,
  actor: Actor,
  { filter, place, client }: { filter: EventFilter; place: number; client: ClientState },
): Promise<void> => {
  const { outlet } = client
  const stop = tail.listen((events) => {
    if (client.isOver) return
    for (const { event, frame } of events) if (event.seq > place && isFor(actor, filter, event)) outlet.write(frame)
    if (outlet.waiting <= mostWaiting) return
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
