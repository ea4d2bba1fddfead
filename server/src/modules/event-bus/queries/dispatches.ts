/** All SQL for `event_dispatches`, events that are dispatched on their own, and what it shares with `event_batches`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { BatchLimits } from '../payload.ts'

/** A node may be silent for this long in the middle of a dispatch. */
const usualLeaseMs = 15_000
/** As a dispatch's transaction is called among the sessions of the database. */
const dispatchName = 'chancery dispatch'

/**
 * Claims the right to dispatch until the transaction ends; false while another node has it. The claim is a row lock, and
 * PostgreSQL ends the session of a node that sends nothing for `leaseMs` in the middle of its dispatch, by its own clock:
 * a frozen node loses its claim and cannot commit any more.
 */
export const claimDispatchUnscoped = async (tx: Db, leaseMs = usualLeaseMs): Promise<boolean> => {
  const { rows } = await prepared`
    select set_config('idle_in_transaction_session_timeout', ${String(leaseMs)}, true),
      set_config('application_name', ${dispatchName}, true)
    from (select from dispatch_claim where id for update skip locked) as claimed`.execute(tx)
  return rows.length > 0
}

/**
 * Ends dispatches that take longer than they may: a node that froze while PostgreSQL was sending it rows is not idle, so
 * its lease alone does not end it. By the database's clock.
 */
export const endOverdueDispatchesUnscoped = async (db: Db, maxMs: number): Promise<void> => {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ${dispatchName}
      and xact_start < clock_timestamp() - ${maxMs} * interval '1 millisecond'`.execute(db)
}

/** Shows PostgreSQL that a dispatch is still alive while filters are evaluated. */
export const renewLeaseUnscoped = async (tx: Db): Promise<void> => {
  await prepared`select`.execute(tx)
}

interface Request {
  now: Date
  /** Only these; undefined: whatever is due. */
  seqs: readonly number[] | undefined
  limits: BatchLimits
}

/** Events taken from the queue. Most events have no subscriber, so it says only what tells whether one might. */
export interface DueEvents {
  /** Their positions in the stream. */
  seqs: readonly number[]
  /** The position of the last event, or of the first event of the last batch. */
  last: number
  /** A limit was reached: more may be due. */
  isFull: boolean
  eventTypes: readonly string[]
  /** The version of the subscriptions when the events were taken: tells whether a copy is current. */
  subscriptionsVersion: number
}

/** Takes events that are dispatched on their own. A rollback puts them back. Sizes are those of `event-pages.ts`. */
export const takeSinglesUnscoped = async (tx: Db, { now, seqs, limits }: Request): Promise<DueEvents> => {
  const only = seqs ?? null
  const { rows } = await prepared<DueEvents>`
    with due as materialized (
      select seq from event_dispatches
      where (${only}::bigint[] is null or seq = any(${only}::bigint[])) and due_at <= ${now}
      order by seq limit ${limits.events}
    ), sized as (
      select *, sum(size) over (order by seq rows unbounded preceding) - size as size_before
      from (
        select seq, event_type, coalesce(payload_bytes, octet_length(payload::text)) as size from events
        where seq = any(array(select seq from due))
      ) found
    ), fitting as (
      select * from sized where size_before < ${limits.bytes}
    ), taken as (
      delete from event_dispatches where seq = any(array(
        select seq from due except select seq from sized where size_before >= ${limits.bytes}))
    )
    select coalesce(max(seq), 0) as last,
      count(*) = ${limits.events} or count(*) < (select count(*) from sized) as is_full,
      coalesce(json_agg(seq order by seq), '[]') as seqs,
      array(select distinct event_type from fitting) as event_types,
      (select version from subscription_changes where id) as subscriptions_version
    from fitting`.execute(tx)
  return rows[0] as DueEvents
}

/** True when anything is due, in batches or on its own. */
export const anyDueUnscoped = (now: Date) => sql<boolean>`
  exists (select from event_batches) or exists (select from event_dispatches where due_at <= ${now})`

export const deleteDispatchUnscoped = (tx: Db, seq: number) =>
  tx.deleteFrom('eventDispatches').where('seq', '=', seq).execute()

/** Undefined if another node has dispatched it meanwhile. */
export const lockDispatchRowUnscoped = (tx: Db, seq: number) =>
  tx.selectFrom('eventDispatches').selectAll().where('seq', '=', seq).forUpdate().executeTakeFirst()

export const postponeDispatchUnscoped = (
  tx: Db,
  { seq, ...change }: { seq: number; attempts: number; dueAt: Date; lastError: string },
) => tx.updateTable('eventDispatches').set(change).where('seq', '=', seq).execute()

/** Queues an event again, with no failed attempts, due at once for every node. */
export const insertDispatchUnscoped = (tx: Db, { now, ...dispatch }: { seq: number; eventId: string; now: Date }) =>
  tx
    .insertInto('eventDispatches')
    .values({ ...dispatch, dueAt: sql`least(${now}, statement_timestamp())`, lastError: null })
    .execute()
