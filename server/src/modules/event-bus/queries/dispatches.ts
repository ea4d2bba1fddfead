/** All SQL for `event_dispatches`: what is still to be dispatched. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { kept } from '#kernel/db/kept.ts'
import type { EventHead, StoredEvent } from '../face.ts'

const dispatchLock = 4_242_013

/**
 * One dispatcher at a time, on whichever node; until the transaction ends. What waits is gone as soon as it is counted,
 * so the database believes the table to be small and would read it from end to end, with all that was deleted and is not
 * yet cleared away; a plan made at such a moment is kept. So reading it all is out of the question here. Before version
 * 18 the database counts that as an enormous cost where it cannot be avoided, for which it would compile a statement anew
 * each time; so that is out of the question as well.
 */
export const lockDispatch = async (tx: Db): Promise<void> => {
  await kept`
    select pg_advisory_xact_lock(${dispatchLock}), set_config('enable_seqscan', 'off', true),
      set_config('jit', 'off', true)`.execute(tx)
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
  /** Of payloads together, heard or not: any of them may be asked for. */
  bytes: number
  /** Events of other types come as heads: whatever nobody is known to want is not read. */
  heardTypes: readonly string[]
}

export interface DueEvents {
  events: (EventHead | StoredEvent)[]
  /** It ended by its bounds: more may be due. */
  isFull: boolean
  /** Of the subscriptions, at the moment the events were read. */
  subscriptionsVersion: number
}

/** Takes them from what is still to be dispatched, in the order of the stream; with what proves a copy of the
 * subscriptions fresh. Whoever fails gives them back by rolling back. Sizes are as `event-pages.ts` has them. */
export const takeDueEventsUnscoped = async (
  tx: Db,
  { now, places: { from, to }, limit, bytes, heardTypes }: DueOptions,
): Promise<DueEvents> => {
  const { rows } = await kept<DueRow>`
    with due as materialized (
      select seq, event_id from event_dispatches
      where seq between ${from} and ${to} and due_at <= ${now} order by seq limit ${limit}
    ), sized as (
      select *, sum(size) over (order by seq rows unbounded preceding) as filled,
        event_type = any(${heardTypes}::text[]) as is_heard
      from (
        select *, coalesce(payload_bytes, octet_length(payload::text)) as size from events
        where event_id = any(array(select event_id from due))
      ) found
    ), taken as (
      delete from event_dispatches where seq = any(array(
        select seq from due except select seq from sized where filled - size >= ${bytes}))
    )
    select event_id, seq, scope_id, event_type, correlation_id, is_heard, filled,
      case when is_heard then source end as source, case when is_heard then user_id end as user_id,
      case when is_heard then payload end as payload, case when is_heard then published_at end as published_at,
      case when is_heard then hop end as hop, case when is_heard then chain end as chain,
      case when is_heard then root_event_id end as root_event_id,
      case when is_heard then causation_run_id end as causation_run_id,
      (select version from subscription_changes where id) as subscriptions_version
    from sized where filled - size < ${bytes} order by seq`.execute(tx)
  return {
    subscriptionsVersion: rows[0]?.subscriptionsVersion ?? 0,
    isFull: rows.length === limit || (rows.at(-1)?.filled ?? 0) >= bytes,
    events: rows.map(({ subscriptionsVersion, isHeard, filled, ...event }) => (isHeard ? event : headOf(event))),
  }
}

type DueRow = (EventHead | StoredEvent) & { subscriptionsVersion: number; isHeard: boolean; filled: number }

const headOf = ({ eventId, seq, scopeId, eventType, correlationId }: EventHead): EventHead => ({
  ...{ eventId, seq, scopeId, eventType, correlationId },
})

export const hasDueUnscoped = async (db: Db, now: Date): Promise<boolean> => {
  const found = await db.selectFrom('eventDispatches').select('seq').where('dueAt', '<=', now).limit(1).execute()
  return found.length > 0
}

export const isWaitingUnscoped = async (db: Db, seq: number): Promise<boolean> => {
  const found = await db.selectFrom('eventDispatches').select('seq').where('seq', '=', seq).execute()
  return found.length > 0
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
