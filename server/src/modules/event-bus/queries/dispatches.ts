/** All SQL for `event_dispatches`, events that are dispatched on their own, and what it shares with `event_batches`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { BatchLimits } from '../payload.ts'

const dispatchLock = 4_242_013

/**
 * One dispatch at a time across all nodes, until the transaction ends. The three planner settings also last until then:
 * the queue tables look empty to the planner, which would read them from end to end, deleted rows included. Decision 0014
 * says what each setting is for and what it gains.
 */
export const lockDispatchUnscoped = async (tx: Db): Promise<void> => {
  await prepared`
    select pg_advisory_xact_lock(${dispatchLock}), set_config('enable_seqscan', 'off', true),
      set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx)
}

/** Positions in the stream, both included. */
export interface SeqRange {
  from: number
  to: number
}

interface Request {
  now: Date
  range: SeqRange
  limits: BatchLimits
}

/** What was taken from the queue. Most events have no subscriber, so it says only what tells whether one might. */
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
export const takeSinglesUnscoped = async (tx: Db, { now, range, limits }: Request): Promise<DueEvents> => {
  const { rows } = await prepared<DueEvents>`
    with due as materialized (
      select seq from event_dispatches
      where seq between ${range.from} and ${range.to} and due_at <= ${now} order by seq limit ${limits.events}
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

/** Whether anything is due, in batches or on its own. */
export const hasDueUnscoped = async (db: Db, now: Date): Promise<boolean> => {
  const { rows } = await prepared<{ hasDue: boolean }>`
    select exists (select from event_batches) or exists (select from event_dispatches where due_at <= ${now})
      as has_due`.execute(db)
  return rows[0]?.hasDue === true
}

export const isQueuedUnscoped = async (db: Db, seq: number): Promise<boolean> => {
  const { rows } = await sql<{ isQueued: boolean }>`
    select exists (select from event_dispatches where seq = ${seq})
      or exists (select from event_batches where seq <= ${seq} and seqs @> array[${seq}::bigint]) as is_queued`.execute(
    db,
  )
  return rows[0]?.isQueued === true
}

export const deleteDispatchUnscoped = (tx: Db, seq: number) =>
  tx.deleteFrom('eventDispatches').where('seq', '=', seq).execute()

/** Undefined if another node has dispatched it meanwhile. */
export const lockDispatchRowUnscoped = (tx: Db, seq: number) =>
  tx.selectFrom('eventDispatches').selectAll().where('seq', '=', seq).forUpdate().executeTakeFirst()

export const postponeDispatchUnscoped = (
  tx: Db,
  { seq, ...change }: { seq: number; attempts: number; dueAt: Date; lastError: string },
) => tx.updateTable('eventDispatches').set(change).where('seq', '=', seq).execute()

/** Queues an event again, with no failed attempts. */
export const insertDispatchUnscoped = (tx: Db, dispatch: { seq: number; eventId: string; dueAt: Date }) =>
  tx
    .insertInto('eventDispatches')
    .values({ ...dispatch, lastError: null })
    .execute()
