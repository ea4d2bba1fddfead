/**
 * Stores events and queues them for dispatch in one statement, so both happen or neither. An event that already exists,
 * by its id or by its publisher's key, is not changed and is returned as it was stored.
 */
import type { Db } from '#kernel/db/database.ts'
import type { EventBusContext } from './context.ts'
import type { AcceptedEvent, NewEvent, PublishedEvent } from './interface.ts'
import { writePayload } from './payload.ts'
import {
  type DraftedEvent,
  findKeyedEventsUnscoped,
  insertEventsUnscoped,
  listAcceptedByIdUnscoped,
} from './queries/events.ts'

const keyLifeMs = 24 * 3_600_000

/** Sets everything about an event except its position in the stream. Throws if the publisher sent bad input. */
export const draftEvent = ({ clock, config, ids }: EventBusContext, event: NewEvent): DraftedEvent => {
  const eventId = event.eventId ?? ids.next()
  const payload = event.payload === undefined ? {} : event.payload
  return {
    eventId,
    scopeId: event.scopeId,
    eventType: event.eventType,
    source: event.source,
    correlationId: event.correlationId || ids.next(),
    userId: event.userId,
    payload,
    payloadJson: writePayload(payload, config.EVENT_MAX_PAYLOAD_BYTES),
    publishedAt: event.publishedAt ?? clock.now(),
    hop: event.cause?.hop ?? 0,
    chain: event.cause?.chain ?? [],
    rootEventId: event.cause?.rootEventId ?? eventId,
    causationRunId: event.cause?.runId ?? null,
    publisher: event.idempotency?.publisher ?? null,
    key: event.idempotency?.key ?? null,
    mayExist: event.eventId !== undefined || event.idempotency !== undefined,
  }
}

const keyOf = ({ publisher, key }: Pick<DraftedEvent, 'publisher' | 'key'>): string | undefined =>
  publisher === null ? undefined : JSON.stringify([publisher, key])

/** The first event of each key and each id: one statement cannot write the same row twice. */
const firstsOf = (drafts: readonly DraftedEvent[]): DraftedEvent[] => {
  const seen = new Set<string>()
  const isNew = (name: string | undefined): boolean => {
    if (name === undefined) return true
    if (seen.has(name)) return false
    seen.add(name)
    return true
  }
  return drafts.filter((draft) => !draft.mayExist || (isNew(draft.eventId) && isNew(keyOf(draft))))
}

export const storeEvents = async (
  { clock, failpoints }: Pick<EventBusContext, 'clock' | 'failpoints'>,
  db: Db,
  drafts: readonly DraftedEvent[],
): Promise<PublishedEvent[]> => {
  if (drafts.length === 0) return []
  const now = clock.now()
  const keysExpireAt = new Date(now.getTime() + keyLifeMs)
  const firsts = firstsOf(drafts)
  await failpoints.hit('publish: before the event is stored')
  const existing = await insertEventsUnscoped(db, firsts, { now, keysExpireAt })
  await failpoints.hit('publish: after the event is stored')
  if (existing.size === 0 && firsts.length === drafts.length)
    return drafts.map((event) => ({ event, duplicate: false }))
  const stored = new Set(firsts.filter(({ eventId }) => !existing.has(eventId)))
  const found = await findRepeated(
    db,
    drafts.filter((draft) => !stored.has(draft)),
  )
  return drafts.map((draft) =>
    stored.has(draft) ? { event: draft, duplicate: false } : { event: found(draft), duplicate: true },
  )
}

/** Finds the stored event for each repeated one, committed earlier or in this very batch. */
const findRepeated = async (
  db: Db,
  drafts: readonly DraftedEvent[],
): Promise<(draft: DraftedEvent) => AcceptedEvent> => {
  const keyed = drafts.filter(({ publisher }) => publisher !== null)
  const byKey = new Map<string, AcceptedEvent>()
  for (const { publisher, key, event } of keyed.length > 0 ? await findKeyedEventsUnscoped(db, keyed) : [])
    byKey.set(JSON.stringify([publisher, key]), event)
  const ids = drafts.filter((draft) => !byKey.has(keyOf(draft) ?? '')).map(({ eventId }) => eventId)
  const byId = new Map<string, AcceptedEvent>()
  for (const event of ids.length > 0 ? await listAcceptedByIdUnscoped(db, ids) : []) byId.set(event.eventId, event)
  return (draft) => {
    const event = byKey.get(keyOf(draft) ?? '') ?? byId.get(draft.eventId)
    if (!event) throw new Error(`event ${draft.eventId} is neither new nor stored`)
    return event
  }
}
