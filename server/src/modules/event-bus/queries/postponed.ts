/** All SQL for `postponed_events`: events that wait for the turn of one tenant, which was over its share. */
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import { laneOf } from '../lanes.ts'
import type { BatchLimits } from '../payload.ts'
import type { DueEvents, TakeRequest } from './dispatches.ts'

export interface Pair {
  scopeId: string
  seq: number
}

export const insertPostponedUnscoped = async (tx: Db, pairs: readonly Pair[], now: Date): Promise<void> => {
  await prepared`
    insert into postponed_events (lane, scope_id, seq, due_at)
    select dispatch_lane(scope_id), scope_id, seq, least(${now}::timestamptz, statement_timestamp())
    from unnest(${pairs.map(({ scopeId }) => scopeId)}::uuid[], ${pairs.map(({ seq }) => seq)}::bigint[])
      as pair (scope_id, seq)
    on conflict do nothing`.execute(tx)
}

/** Which of these scopes have a queue of their own. */
export const listBehindUnscoped = async (tx: Db, scopeIds: readonly string[]): Promise<string[]> => {
  const { rows } = await prepared<{ scopeId: string }>`
    select scope_id from unnest(${scopeIds}::uuid[]) as asked (scope_id)
    where (select true from postponed_events p
      where p.lane = dispatch_lane(asked.scope_id) and p.scope_id = asked.scope_id limit 1)`.execute(tx)
  return rows.map(({ scopeId }) => scopeId)
}

interface Request extends TakeRequest {
  /** Only these events of this tenant; undefined: those of the tenant whose turn it is. */
  only?: { scopeId: string; seqs: readonly number[] } | undefined
  limits: BatchLimits
}

/**
 * Takes the next events of one tenant, in order. Tenants take turns, in the order of their ids; the lane remembers whose
 * turn was last, for all nodes. A rollback puts the events back, and the turn.
 */
export const takePostponedUnscoped = async (
  tx: Db,
  { lanes: [lane], now, only, limits, since }: Request,
): Promise<DueEvents> => {
  const { rows } = await prepared<DueEvents & { scopeId: string | null }>`
    with last as materialized (
      select last_scope from dispatch_lanes where lane = ${lane} and is_postponed
    ), turn as materialized (
      select coalesce(${only?.scopeId ?? null}::uuid,
        (select scope_id from postponed_events where lane = ${lane} and due_at <= ${now}
          and scope_id > (select last_scope from last) order by scope_id limit 1),
        (select scope_id from postponed_events where lane = ${lane} and due_at <= ${now} order by scope_id limit 1)
      ) as scope_id
    ), due as materialized (
      select seq from postponed_events
      where lane = ${lane} and scope_id = (select scope_id from turn) and due_at <= ${now}
        and (${only?.seqs ?? null}::bigint[] is null or seq = any(${only?.seqs ?? null}::bigint[]))
      order by seq limit ${limits.events}
    ), sized as materialized (
      select *, sum(size) over (order by seq rows unbounded preceding) - size as size_before
      from (
        select seq, event_type, coalesce(payload_bytes, octet_length(payload::text)) as size from events
        where seq = any(array(select seq from due))
          and seq between (select min(seq) from due) and (select max(seq) from due)
      ) found
    ), fitting as (
      select * from sized where size_before < ${limits.bytes}
    ), taken as (
      delete from postponed_events
      where lane = ${lane} and scope_id = (select scope_id from turn) and seq = any(array(
        select seq from due except select seq from sized where size_before >= ${limits.bytes}))
    ), turned as (
      update dispatch_lanes set last_scope = turn.scope_id from turn
      where lane = ${lane} and is_postponed and turn.scope_id is not null
    )
    select '{}'::json as lasts, count(*) > 0 as is_full, coalesce(json_agg(seq order by seq), '[]') as seqs,
      array(select distinct event_type from fitting) as event_types, (select scope_id from turn) as scope_id,
      subscriptions_changed(${since.snapshot}::pg_snapshot, ${since.at}::timestamptz) as changes
    from fitting`.execute(tx)
  const { scopeId, ...due } = rows[0] as DueEvents & { scopeId: string | null }
  return scopeId === null ? due : { ...due, scopeId }
}

/** Undefined if another node has dispatched it meanwhile. */
export const lockPostponedUnscoped = (tx: Db, { scopeId, seq }: Pair) =>
  tx
    .selectFrom('postponedEvents')
    .selectAll()
    .where('lane', '=', laneOf(scopeId))
    .where('scopeId', '=', scopeId)
    .where('seq', '=', seq)
    .forUpdate()
    .executeTakeFirst()

interface Postponement extends Pair {
  attempts: number
  dueAt: Date
  lastError: string
}

export const postponeAgainUnscoped = (tx: Db, { scopeId, seq, ...change }: Postponement) =>
  tx
    .updateTable('postponedEvents')
    .set(change)
    .where('lane', '=', laneOf(scopeId))
    .where('scopeId', '=', scopeId)
    .where('seq', '=', seq)
    .execute()

export const deletePostponedUnscoped = (tx: Db, { scopeId, seq }: Pair) =>
  tx
    .deleteFrom('postponedEvents')
    .where('lane', '=', laneOf(scopeId))
    .where('scopeId', '=', scopeId)
    .where('seq', '=', seq)
    .execute()
