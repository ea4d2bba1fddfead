/**
 * All SQL for `events` and `event_keys` besides the pages of `event-pages.ts`, and the one statement that writes events
 * with their dispatch.
 */

import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { instanceScope, scopeOf } from '#kernel/http/scope.ts'
import type { AcceptedEvent, EventHead, SinceQuery, StoredEvent } from '../face.ts'

/** Everything but its place. */
export interface DraftedEvent extends Omit<StoredEvent, 'seq'> {
  /** The payload as JSON, made once: it is measured and stored. */
  payloadJson: string
  publisher: string | null
  key: string | null
  /** Its id or its key was given, so it may have been published before. */
  mayExist: boolean
}

/**
 * One event as JSON that `publish_batch` reads. What an event from outside does not have is left out, and its payload is
 * not written a second time.
 */
const asRecord = (draft: DraftedEvent): string => {
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

/** Answers those that existed already and were not stored. See `publish_batch` in the migrations. */
export const insertEvents = async (
  db: Db,
  drafts: readonly DraftedEvent[],
  { now, keysExpireAt }: Times,
): Promise<Set<string>> => {
  const records = `[${drafts.map(asRecord).join(',')}]`
  const hasKeys = drafts.some(({ publisher }) => publisher !== null)
  const { rows } = await prepared<{ eventId: string }>`
    select event_id from publish_batch(${records}, ${hasKeys}, ${now}, ${keysExpireAt})`.execute(db)
  return new Set(rows.map(({ eventId }) => eventId))
}

const columns = [
  ...(['eventId', 'seq', 'scopeId', 'eventType', 'source', 'correlationId', 'userId', 'payload'] as const),
  ...(['publishedAt', 'hop', 'chain', 'rootEventId', 'causationRunId'] as const),
] as const

export const eventsUnscoped = (db: Db) => db.selectFrom('events').select(columns)

/** Those of some places, written as PostgreSQL writes a list, that have one of the types. */
interface At {
  places: string
  eventTypes: readonly string[]
}

/**
 * In the order of the stream. By their places first (`offset 0`): a database that has not counted its events yet would
 * look through all of a type.
 */
export const listEventsAtUnscoped = async (db: Db, { places, eventTypes }: At): Promise<StoredEvent[]> => {
  const { rows } = await prepared<StoredEvent>`
    select event_id, seq, scope_id, event_type, source, correlation_id, user_id, payload, published_at, hop, chain,
      root_event_id, causation_run_id
    from (select * from events where seq = any(${places}::bigint[]) offset 0) as found
    where event_type = any(${eventTypes}) order by seq`.execute(db)
  return rows
}

export const listHeadsAtUnscoped = async (db: Db, { places, eventTypes }: At): Promise<EventHead[]> => {
  const { rows } = await prepared<EventHead>`
    select event_id, seq, scope_id, event_type, correlation_id
    from (select * from events where seq = any(${places}::bigint[]) offset 0) as found
    where event_type = any(${eventTypes}) order by seq`.execute(db)
  return rows
}

export const listEventsByIdUnscoped = (db: Db, ids: readonly string[]): Promise<StoredEvent[]> =>
  eventsUnscoped(db).where('eventId', 'in', ids).execute()

const acceptedColumns = ['eventId', 'eventType', 'source', 'correlationId', 'publishedAt'] as const

/** For those who published the same before. */
export const listAcceptedByIdUnscoped = (db: Db, ids: readonly string[]): Promise<AcceptedEvent[]> =>
  db.selectFrom('events').select(acceptedColumns).where('eventId', 'in', ids).execute()

/** Which event each key stands for. */
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

/** Their own scope's, and those of the whole instance. */
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
  // Retention may have let it go, and all that came before it.
  const place = sql<number>`coalesce((select s.seq from events s where s.event_id = ${since.eventId}), 0)`
  return ofProcess.where('seq', '>', place).execute()
}

export const readLastPlaceUnscoped = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ seq: number }>`select coalesce(max(seq), 0) as seq from events`.execute(db)
  return rows[0]?.seq ?? 0
}

/**
 * The transactions of this database that write at this moment, by number. Not those of a snapshot: it does not list
 * what is newer than the last that has ended, and does list what other databases of the server are at.
 */
export const listRunningUnscoped = async (db: Db): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ xid: string }>`
    select backend_xid::text as xid from pg_stat_activity
    where backend_xid is not null and datname = current_database()`.execute(db)
  return new Set(rows.map(({ xid }) => xid))
}
