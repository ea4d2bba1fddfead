/**
 * All SQL for `events` and `event_keys` except the pages in `event-pages.ts`, with the one statement that stores events
 * and queues them for dispatch.
 */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { instanceScope, scopeOf } from '#kernel/http/scope.ts'
import type { AcceptedEvent, EventHead, SinceQuery, StoredEvent } from '../interface.ts'
import { batchLimits } from '../payload.ts'

/** An event before it has a position in the stream. */
export interface DraftedEvent extends Omit<StoredEvent, 'seq'> {
  /** The payload as JSON: serialized once, then measured and stored. */
  payloadJson: string
  publisher: string | null
  key: string | null
  /** The publisher gave an id or a key, so it may have been published before. */
  mayExist: boolean
}

/**
 * One event as the JSON that `store_event_batches` reads. Fields that events from outside lack are left out, and the
 * payload is not serialized a second time.
 */
const toRecord = (draft: DraftedEvent): string => {
  const record = JSON.stringify({
    eventId: draft.eventId,
    scopeId: draft.scopeId,
    eventType: draft.eventType,
    source: draft.source,
    correlationId: draft.correlationId,
    publishedAt: draft.publishedAt.getTime(),
    userId: draft.userId ?? undefined,
    hop: draft.hop || undefined,
    chain: draft.chain.length > 0 ? draft.chain : undefined,
    rootEventId: draft.rootEventId === draft.eventId ? undefined : draft.rootEventId,
    causationRunId: draft.causationRunId ?? undefined,
    publisher: draft.publisher ?? undefined,
    key: draft.key ?? undefined,
  })
  return `${record.slice(0, -1)},"payload":${draft.payloadJson}}`
}

interface Times {
  now: Date
  keysExpireAt: Date
}

/** Returns the ids of events that existed already and were not stored. See `store_event_batches` in server/schema.sql. */
export const insertEventsUnscoped = async (
  db: Db,
  drafts: readonly DraftedEvent[],
  { now, keysExpireAt }: Times,
): Promise<Set<string>> => {
  const records = `[${drafts.map(toRecord).join(',')}]`
  const hasKeys = drafts.some(({ mayExist }) => mayExist)
  const { rows } = await prepared<{ eventId: string }>`
    select event_id from store_event_batches(${records}, ${hasKeys}, ${now}, ${keysExpireAt}, ${batchLimits.events},
      ${batchLimits.bytes})`.execute(db)
  return new Set(rows.map(({ eventId }) => eventId))
}

const columns = [
  'eventId',
  'seq',
  'scopeId',
  'eventType',
  'source',
  'correlationId',
  'userId',
  'payload',
  'publishedAt',
  'hop',
  'chain',
  'rootEventId',
  'causationRunId',
] as const

export const eventsUnscoped = (db: Db) => db.selectFrom('events').select(columns)

interface BySeq {
  seqs: readonly number[]
  /** Events of other types are left out. */
  eventTypes: readonly string[]
}

/** A list of numbers in PostgreSQL's own notation: cheaper than an array parameter, whose items would each be quoted. */
const toArrayText = (seqs: readonly number[]): string => `{${seqs.join()}}`

/**
 * In the order of the stream. `offset 0` makes PostgreSQL look them up by position first: without statistics it would
 * read all events of the types. The first and the last position tell it which partitions it can leave out.
 */
export const listEventsBySeqUnscoped = async (db: Db, { seqs, eventTypes }: BySeq): Promise<StoredEvent[]> => {
  const { rows } = await prepared<StoredEvent>`
    select event_id, seq, scope_id, event_type, source, correlation_id, user_id, payload, published_at, hop, chain,
      root_event_id, causation_run_id
    from (select * from events where seq = any(${toArrayText(seqs)}::bigint[])
      and seq between ${Math.min(...seqs)} and ${Math.max(...seqs)} offset 0) as found
    where event_type = any(${eventTypes}) order by seq`.execute(db)
  return rows
}

export const listHeadsBySeqUnscoped = async (db: Db, { seqs, eventTypes }: BySeq): Promise<EventHead[]> => {
  const { rows } = await prepared<EventHead>`
    select event_id, seq, scope_id, event_type, correlation_id
    from (select * from events where seq = any(${toArrayText(seqs)}::bigint[])
      and seq between ${Math.min(...seqs)} and ${Math.max(...seqs)} offset 0) as found
    where event_type = any(${eventTypes}) order by seq`.execute(db)
  return rows
}

export const findHeadBySeqUnscoped = (
  db: Db,
  seq: number,
): Promise<Pick<EventHead, 'eventId' | 'scopeId'> | undefined> =>
  db.selectFrom('events').select(['eventId', 'scopeId']).where('seq', '=', seq).executeTakeFirst()

export const listEventsByIdUnscoped = (db: Db, ids: readonly string[]): Promise<StoredEvent[]> =>
  eventsUnscoped(db).where('eventId', 'in', ids).execute()

const acceptedColumns = ['eventId', 'eventType', 'source', 'correlationId', 'publishedAt'] as const

/** For publishers that send an event again. */
export const listAcceptedByIdUnscoped = (db: Db, ids: readonly string[]): Promise<AcceptedEvent[]> =>
  db.selectFrom('events').select(acceptedColumns).where('eventId', 'in', ids).execute()

/** The event of each key. */
export const findKeyedEventsUnscoped = async (
  db: Db,
  keys: readonly { publisher: string | null; key: string | null }[],
): Promise<{ publisher: string; key: string; event: AcceptedEvent }[]> => {
  const rows = await db
    .selectFrom('eventKeys as k')
    .innerJoin('events as e', 'e.eventId', 'k.eventId')
    .select(['k.publisher', 'k.key', ...acceptedColumns.map((column) => `e.${column}` as const)])
    .where(
      sql<boolean>`(k.publisher, k.key) in (select * from unnest(${keys.map(({ publisher }) => publisher)}::text[],
        ${keys.map(({ key }) => key)}::text[]))`,
    )
    .execute()
  return rows.map(({ publisher, key, ...event }) => ({ publisher, key, event }))
}

/** The scopes an actor can read: their own and the instance's. */
export const scopesOf = (actor: Actor): string[] => [scopeOf(actor), instanceScope]

export const findEvent = (db: Db, actor: Actor, eventId: string): Promise<StoredEvent | undefined> =>
  eventsUnscoped(db).where('eventId', '=', eventId).where('scopeId', 'in', scopesOf(actor)).executeTakeFirst()

export const listSinceUnscoped = (
  db: Db,
  { scopeId, correlationId, eventType, since, limit }: SinceQuery,
): Promise<StoredEvent[]> => {
  const ofProcess = eventsUnscoped(db)
    .where('correlationId', '=', correlationId)
    .where('eventType', '=', eventType)
    .where('scopeId', 'in', [scopeId, instanceScope])
    .orderBy('seq')
    .limit(limit)
  if ('time' in since) return ofProcess.where('publishedAt', '>=', since.time).execute()
  // Retention may have deleted that event, and then everything before it as well.
  const after = sql<number>`coalesce((select s.seq from events s where s.event_id = ${since.eventId}), 0)`
  return ofProcess.where('seq', '>', after).execute()
}

/** The last position that was given out, if only to a transaction that is still open. No lock on the table is waited for. */
export const readLastSeqUnscoped = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ seq: number }>`
    select case when is_called then last_value else 0 end as seq from events_seq_seq`.execute(db)
  return rows[0]?.seq ?? 0
}

/**
 * The ids of transactions that are writing in this database right now. A PostgreSQL snapshot would not do: it omits
 * transactions newer than the last one that ended, and includes those of other databases.
 */
export const listRunningUnscoped = async (db: Db): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ xid: string }>`
    select backend_xid::text as xid from pg_stat_activity
    where backend_xid is not null and datname = current_database()`.execute(db)
  return new Set(rows.map(({ xid }) => xid))
}
