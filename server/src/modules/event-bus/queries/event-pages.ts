/** Events in the order of the stream, one page at a time, limited by count and by bytes. */
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
  /** Of payloads together. The event that reaches the limit is the last of the page. */
  bytes: number
  order: 'asc' | 'desc'
}

interface Range extends EventFilter, Bounds {
  /** Published at this time or later. */
  publishedFrom?: Date | undefined
  publishedBefore?: Date | undefined
  /** After this position. */
  after?: number | undefined
  /** Before this position. */
  before?: number | undefined
}

export interface EventPage {
  events: StoredEvent[]
  /** A limit was reached: more may follow. */
  isFull: boolean
}

/** Events stored before sizes were recorded are measured now. */
const payloadSize = sql<number>`coalesce(payload_bytes, octet_length(payload::text))`

/** Merges what the queries find. Payloads beyond the limits are not read: PostgreSQL stores large ones out of line. */
const readPage = async (
  db: Db,
  matching: readonly ReturnType<typeof eventsUnscoped>[],
  { limit, bytes, order }: Bounds,
): Promise<EventPage> => {
  const direction = sql.raw(order)
  const found = matching.map((query) => query.select(payloadSize.as('size')).orderBy('seq', order).limit(limit))
  const { rows } = await sql<StoredEvent & { size: number; bytesSoFar: number }>`
    select * from (
      select *, sum(size) over (order by seq ${direction} rows unbounded preceding) as bytes_so_far
      from (${sql.join(found, sql` union all `)}) found order by seq ${direction} limit ${limit}
    ) page where bytes_so_far - size < ${bytes} order by seq ${direction}`.execute(db)
  return {
    events: rows.map(({ size, bytesSoFar, ...event }) => event),
    isFull: rows.length === limit || (rows.at(-1)?.bytesSoFar ?? 0) >= bytes,
  }
}

/** By how much the clocks of two nodes may differ for a time range to be complete. */
const clockMarginMs = 15 * 60_000

/** Positions follow time closely: a range of time becomes a range of positions, with a margin for clocks that differ. */
const seqAt = (time: Date, marginMs: number) =>
  sql<number>`(select event_seq_from(${new Date(time.getTime() + marginMs)}))`

/** One query per scope, each on its own index: a scope with many events does not slow down the others. */
export const listEvents = (db: Db, actor: Actor, range: Range): Promise<EventPage> => {
  const { eventType, correlationId, source, after, before, publishedFrom, publishedBefore } = range
  const inScope = (scopeId: string) => {
    let query = eventsUnscoped(db).where('scopeId', '=', scopeId)
    if (eventType !== undefined) query = query.where('eventType', '=', eventType)
    if (correlationId !== undefined) query = query.where('correlationId', '=', correlationId)
    if (source !== undefined) query = query.where('source', '=', source)
    if (after !== undefined) query = query.where('seq', '>', after)
    if (before !== undefined) query = query.where('seq', '<', before)
    if (publishedFrom)
      query = query.where('seq', '>=', seqAt(publishedFrom, -clockMarginMs)).where('publishedAt', '>=', publishedFrom)
    if (publishedBefore)
      query = query.where('seq', '<', seqAt(publishedBefore, clockMarginMs)).where('publishedAt', '<', publishedBefore)
    return query
  }
  return readPage(db, scopesOf(actor).map(inScope), range)
}

/** Everything visible after a position, for the tail. */
export const listEventsAfterUnscoped = (
  db: Db,
  after: number,
  bounds: Pick<Bounds, 'limit' | 'bytes'>,
): Promise<EventPage> => readPage(db, [eventsUnscoped(db).where('seq', '>', after)], { ...bounds, order: 'asc' })
