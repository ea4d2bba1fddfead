/** Events in the order of the stream, one page at a time, limited by count and by bytes. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { SearchDb } from '#kernel/db/searches.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { StoredEvent } from '../interface.ts'
import { eventsUnscoped, scopesOf } from './events.ts'

export interface EventFilter {
  eventType?: string | undefined
  correlationId?: string | undefined
  source?: string | undefined
}

interface Bounds {
  limit: number
  /** The limit for all payloads together. The event that reaches the limit is the last of the page. */
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
  /** A search in payloads looked no further back than this position. */
  searchedTo?: number | undefined
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

/**
 * Positions follow time closely: a range of time becomes a range of positions, with a margin for clocks that differ. Asked
 * first, so that PostgreSQL plans with numbers: it leaves out other partitions, and knows how much it would have to sort.
 */
const withPositions = async <R extends Range>(db: Db, range: R): Promise<R> => {
  const { publishedFrom: from, publishedBefore: until, after, before } = range
  if (!from && !until) return range
  const moved = (time: Date | undefined, ms: number) => time && new Date(time.getTime() + ms)
  const { rows } = await sql<{ first: number; end: number }>`
    select event_seq_from(${moved(from, -clockMarginMs)}) as first, event_seq_from(${moved(until, clockMarginMs)}) as end
  `.execute(db)
  const { first = 0, end = 0 } = rows[0] ?? {}
  return {
    ...range,
    after: from ? Math.max(first - 1, after ?? 0) : after,
    before: until ? Math.min(end, before ?? end) : before,
  }
}

/** One query per scope, each on its own index: a scope with many events does not slow down the others. */
const matching = (db: Db, actor: Actor, range: Omit<Range, keyof Bounds>) => {
  const { eventType, correlationId, source, after, before, publishedFrom, publishedBefore } = range
  return scopesOf(actor).map((scopeId) => {
    let query = eventsUnscoped(db).where('scopeId', '=', scopeId)
    if (eventType !== undefined) query = query.where('eventType', '=', eventType)
    if (correlationId !== undefined) query = query.where('correlationId', '=', correlationId)
    if (source !== undefined) query = query.where('source', '=', source)
    if (after !== undefined) query = query.where('seq', '>', after)
    if (before !== undefined) query = query.where('seq', '<', before)
    if (publishedFrom) query = query.where('publishedAt', '>=', publishedFrom)
    if (publishedBefore) query = query.where('publishedAt', '<', publishedBefore)
    return query
  })
}

export const listEvents = async (db: Db, actor: Actor, range: Range): Promise<EventPage> =>
  readPage(db, matching(db, actor, await withPositions(db, range)), range)

export const searchEvents = async (
  db: SearchDb,
  actor: Actor,
  { payload, ...given }: Range & { payload: string },
): Promise<EventPage> => {
  const range = await withPositions(db, given)
  const searchedTo = await findSearchEnd(db, matching(db, actor, range))
  const after = searchedTo === undefined ? range.after : searchedTo - 1
  const found = matching(db, actor, { ...range, after }).map((query) =>
    query.where(sql<boolean>`strpos(lower(payload::text), lower(${payload})) > 0`),
  )
  return { ...(await readPage(db, found, range)), searchedTo }
}

/** Payloads have no index, so a search reads so many of them, or so much, and leaves the rest to the next page. */
const maxSearched = 5000
const maxSearchedBytes = 32 * 1024 * 1024

/** The position down to which a search looks, so that every scope is searched completely; undefined for the last page. */
const findSearchEnd = async (db: Db, queries: ReturnType<typeof matching>): Promise<number | undefined> => {
  const ends = await Promise.all(
    queries.map((query) => {
      const sizes = query.clearSelect().select(['seq', payloadSize.as('size')])
      return sql<{ seq: number }>`
        select seq from (
          select seq, row_number() over so_far as number, sum(size) over so_far as bytes
          from (${sizes.orderBy('seq', 'desc').limit(maxSearched)}) newest
          window so_far as (order by seq desc rows unbounded preceding)
        ) searched where number = ${maxSearched} or bytes >= ${maxSearchedBytes}
        order by seq desc limit 1`.execute(db)
    }),
  )
  const positions = ends.flatMap(({ rows }) => rows.map(({ seq }) => seq))
  return positions.length === 0 ? undefined : Math.max(...positions)
}

/** Everything visible after a position, for the tail. */
export const listEventsAfterUnscoped = (
  db: Db,
  after: number,
  bounds: Pick<Bounds, 'limit' | 'bytes'>,
): Promise<EventPage> => readPage(db, [eventsUnscoped(db).where('seq', '>', after)], { ...bounds, order: 'asc' })
