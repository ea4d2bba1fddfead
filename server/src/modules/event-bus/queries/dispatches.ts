/** All SQL for `event_dispatches`, what is to be dispatched alone, and for what it shares with `event_batches`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'

const dispatchLock = 4_242_013

/**
 * One dispatcher at a time, on whichever node; until the transaction ends. What waits is gone as soon as it is counted,
 * so the database believes the table to be small and would read it from end to end, with all that was deleted and is not
 * yet cleared away; a plan made at such a moment is kept. So reading it all is out of the question here. Before version
 * 18 the database counts that as an enormous cost where it cannot be avoided, for which it would compile a statement anew
 * each time; so that is out of the question as well. And so is planning each of them anew, which takes longer than what
 * most of them do.
 */
export const lockDispatch = async (tx: Db): Promise<void> => {
  await prepared`
    select pg_advisory_xact_lock(${dispatchLock}), set_config('enable_seqscan', 'off', true),
      set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx)
}

export interface Places {
  from: number
  to: number
}

interface DueOptions {
  now: Date
  /** Only those of these places, both included. */
  places: Places
  limit: number
  /** Of payloads together: all of them may be asked for. */
  bytes: number
}

/** Most events are wanted by nobody, so no more is said of them than what tells whether anybody might. */
export interface DueEvents {
  count: number
  /** The place of the last, or where its batch begins. */
  last: number
  /** It ended by its bounds: more may be due. */
  isFull: boolean
  eventTypes: readonly string[]
  /** As PostgreSQL writes a list: nothing is made of it where nobody wants the events. */
  places: string
  /** Of the subscriptions, at the moment the events were found: it proves a copy of them fresh. */
  subscriptionsVersion: number
}

/** Takes them from what is to be dispatched alone. Whoever fails gives them back by rolling back. Sizes are as
 * `event-pages.ts` has them. */
export const takeDueEventsUnscoped = async (
  tx: Db,
  { now, places: { from, to }, limit, bytes }: DueOptions,
): Promise<DueEvents> => {
  const { rows } = await prepared<DueEvents>`
    with due as materialized (
      select seq from event_dispatches
      where seq between ${from} and ${to} and due_at <= ${now} order by seq limit ${limit}
    ), sized as (
      select *, sum(size) over (order by seq rows unbounded preceding) - size as size_before
      from (
        select seq, event_type, coalesce(payload_bytes, octet_length(payload::text)) as size from events
        where seq = any(array(select seq from due))
      ) found
    ), fitting as (
      select * from sized where size_before < ${bytes}
    ), taken as (
      delete from event_dispatches where seq = any(array(
        select seq from due except select seq from sized where size_before >= ${bytes}))
    )
    select count(*) as count, coalesce(max(seq), 0) as last,
      count(*) = ${limit} or count(*) < (select count(*) from sized) as is_full,
      '{' || coalesce(string_agg(seq::text, ','), '') || '}' as places,
      array(select distinct event_type from fitting) as event_types,
      (select version from subscription_changes where id) as subscriptions_version
    from fitting`.execute(tx)
  return rows[0] as DueEvents
}

/** Whether anything is to be dispatched, together or alone. */
export const hasDueUnscoped = async (db: Db, now: Date): Promise<boolean> => {
  const { rows } = await prepared<{ hasDue: boolean }>`
    select exists (select from event_batches) or exists (select from event_dispatches where due_at <= ${now})
      as has_due`.execute(db)
  return rows[0]?.hasDue === true
}

export const isWaitingUnscoped = async (db: Db, seq: number): Promise<boolean> => {
  const { rows } = await sql<{ isWaiting: boolean }>`
    select exists (select from event_dispatches where seq = ${seq})
      or exists (select from event_batches where seq <= ${seq} and seqs @> array[${seq}::bigint]) as is_waiting`.execute(
    db,
  )
  return rows[0]?.isWaiting === true
}

export const deleteDispatches = async (tx: Db, seqs: readonly number[]): Promise<void> => {
  await sql`delete from event_dispatches where seq = any(${seqs}::bigint[])`.execute(tx)
}

/** Undefined where somebody else has dispatched it meanwhile. */
export const lockDispatchRowUnscoped = (tx: Db, seq: number) =>
  tx.selectFrom('eventDispatches').selectAll().where('seq', '=', seq).forUpdate().executeTakeFirst()

export const postponeDispatch = (
  tx: Db,
  { seq, ...change }: { seq: number; attempts: number; dueAt: Date; lastError: string },
) => tx.updateTable('eventDispatches').set(change).where('seq', '=', seq).execute()

/** Once more from the start. */
export const insertDispatch = (tx: Db, dispatch: { seq: number; eventId: string; dueAt: Date }) =>
  tx
    .insertInto('eventDispatches')
    .values({ ...dispatch, lastError: null })
    .execute()
