/** All SQL for `event_dispatches`, events that are dispatched on their own, and what it shares with `event_batches`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { BatchLimits } from '../payload.ts'

/** What a copy of the subscriptions has seen. */
export interface Seen {
  snapshot: string
  at: string
}

/** What has changed since. */
export interface SubscriptionChanges extends Seen {
  ids: readonly string[]
  isTooOld: boolean
}

export interface TakeRequest {
  now: Date
  /** Those that are claimed. */
  lanes: readonly number[]
  since: Seen
}

interface Request extends TakeRequest {
  /** Only these; undefined: whatever is due. */
  seqs: readonly number[] | undefined
  limits: BatchLimits
}

/** Events taken from the queue. Most events have no subscriber, so it says only what tells whether one might. */
export interface DueEvents {
  /** Their positions in the stream. */
  seqs: readonly number[]
  /** The first positions of the last batches, by lane. */
  lasts: Readonly<Record<number, number>>
  /** A limit was reached: more may be due. */
  isFull: boolean
  eventTypes: readonly string[]
  /** Changes of subscriptions before the events were taken. */
  changes: SubscriptionChanges
  /** Dispatched for this tenant alone, because it is its turn. */
  scopeId?: string
}

/** Takes events that are dispatched on their own. A rollback puts them back. Sizes are those of `event-pages.ts`. */
export const takeSinglesUnscoped = async (tx: Db, { now, lanes, since, seqs, limits }: Request): Promise<DueEvents> => {
  const only = seqs ?? null
  const { rows } = await prepared<DueEvents>`
    with due as materialized (
      select seq from event_dispatches
      where (${only}::bigint[] is null or seq = any(${only}::bigint[])) and due_at <= ${now}
        and lane = any(${lanes}::smallint[])
      order by seq limit ${limits.events}
    ), sized as (
      select *, sum(size) over (order by seq rows unbounded preceding) - size as size_before
      from (
        select seq, event_type, coalesce(payload_bytes, octet_length(payload::text)) as size from events
        where seq = any(array(select seq from due))
          and seq between (select min(seq) from due) and (select max(seq) from due)
      ) found
    ), fitting as (
      select * from sized where size_before < ${limits.bytes}
    ), taken as (
      delete from event_dispatches where seq = any(array(
        select seq from due except select seq from sized where size_before >= ${limits.bytes}))
    )
    select '{}'::json as lasts,
      count(*) = ${limits.events} or count(*) < (select count(*) from sized) as is_full,
      coalesce(json_agg(seq order by seq), '[]') as seqs,
      array(select distinct event_type from fitting) as event_types,
      subscriptions_changed(${since.snapshot}::pg_snapshot, ${since.at}::timestamptz) as changes
    from fitting`.execute(tx)
  return rows[0] as DueEvents
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

/** Queues an event again, with no failed attempts, due at once for every node. */
export const insertDispatchUnscoped = (tx: Db, { now, ...dispatch }: { seq: number; eventId: string; now: Date }) =>
  tx
    .insertInto('eventDispatches')
    .values({
      ...dispatch,
      dueAt: sql`least(${now}, statement_timestamp())`,
      lastError: null,
      lane: sql`(select dispatch_lane(scope_id) from events where seq = ${dispatch.seq})`,
    })
    .execute()
