/** Events in the order of the stream, a page at a time: so many, and no more bytes than are good for us. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { StoredEvent } from '../face.ts'
import { eventsUnscoped, scopesOf } from './events.ts'

export interface EventFilter {
  eventType?: string | undefined
  correlationId?: string | undefined
  source?: string | undefined
}

interface Bounds {
  limit: number
  /** Of payloads together. The event that fills them is the last. */
  bytes: number
  order: 'asc' | 'desc'
}

interface Range extends EventFilter, Bounds {
  /** Later than this place. */
  after?: number | undefined
  /** Earlier than this place. */
  before?: number | undefined
}

export interface EventPage {
  events: StoredEvent[]
  /** It ended by its bounds: more may follow. */
  isFull: boolean
}

/** Events of before their size was written down are measured now. */
const payloadSize = sql<number>`coalesce(payload_bytes, octet_length(payload::text))`

/** Of what all these find. What lies behind the bounds is not read: until it is sent, a large payload is a pointer. */
const readPage = async (
  db: Db,
  matching: readonly ReturnType<typeof eventsUnscoped>[],
  { limit, bytes, order }: Bounds,
): Promise<EventPage> => {
  const direction = sql.raw(order)
  const found = matching.map((query) => query.select(payloadSize.as('size')).orderBy('seq', order).limit(limit))
  const { rows } = await sql<StoredEvent & { size: number; filled: number }>`
    select * from (
      select *, sum(size) over (order by seq ${direction} rows unbounded preceding) as filled
      from (${sql.join(found, sql` union all `)}) found order by seq ${direction} limit ${limit}
    ) page where filled - size < ${bytes} order by seq ${direction}`.execute(db)
  return {
    events: rows.map(({ size, filled, ...event }) => event),
    isFull: rows.length === limit || (rows.at(-1)?.filled ?? 0) >= bytes,
  }
}

/** Scope by scope, each from its own index: whoever publishes much does not slow others down. */
export const listEvents = (db: Db, actor: Actor, range: Range): Promise<EventPage> => {
  const { eventType, correlationId, source, after, before } = range
  const inScope = (scopeId: string) => {
    let query = eventsUnscoped(db).where('scopeId', '=', scopeId)
    if (eventType !== undefined) query = query.where('eventType', '=', eventType)
    if (correlationId !== undefined) query = query.where('correlationId', '=', correlationId)
    if (source !== undefined) query = query.where('source', '=', source)
    if (after !== undefined) query = query.where('seq', '>', after)
    if (before !== undefined) query = query.where('seq', '<', before)
    return query
  }
  return readPage(db, scopesOf(actor).map(inScope), range)
}

/** What has become visible behind a place. */
export const listEventsAfterUnscoped = (
  db: Db,
  after: number,
  bounds: Pick<Bounds, 'limit' | 'bytes'>,
): Promise<EventPage> => readPage(db, [eventsUnscoped(db).where('seq', '>', after)], { ...bounds, order: 'asc' })
