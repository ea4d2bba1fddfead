/** All SQL for `event_batches`: events that were published together and are dispatched together. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { BatchLimits } from '../payload.ts'
import type { DueEvents, TakeRequest } from './dispatches.ts'

interface Request extends Omit<TakeRequest, 'now'> {
  /** By lane: batches before this position are skipped. */
  from(lane: number): number
  limits: BatchLimits
}

/** One scan reads no more batches of a lane than this, however small they are. */
const maxBatches = 200

/** Removes the next batches from the queue, at least one if there is one. A rollback puts them back. */
export const takeBatchesUnscoped = async (tx: Db, { from, lanes, limits, since }: Request): Promise<DueEvents> => {
  const { rows } = await prepared<DueEvents>`
    with next as materialized (
      select *, cardinality(seqs) as count, sum(bytes) over so_far as bytes_so_far,
        sum(cardinality(seqs)) over so_far as count_so_far
      from unnest(${lanes}::smallint[], ${lanes.map(from)}::bigint[]) as claimed (its_lane, its_first)
        cross join lateral (
          select * from event_batches where lane = its_lane and seq >= its_first order by seq limit ${maxBatches}
        ) as scanned
      window so_far as (order by seq rows unbounded preceding)
    ), fitting as (
      select * from next
      where count_so_far = count or (bytes_so_far <= ${limits.bytes} and count_so_far <= ${limits.events})
    ), taken as (
      delete from event_batches where seq = any(array(select seq from fitting)) returning *
    )
    select coalesce((select json_object_agg(lane, last) from (select lane, max(seq) as last from taken group by lane) each),
        '{}') as lasts,
      count(*) >= ${maxBatches} or count(*) < (select count(*) from next) as is_full,
      ('[' || coalesce(string_agg(array_to_string(seqs, ','), ','), '') || ']')::json as seqs,
      array(select distinct unnest(event_types) from taken) as event_types,
      subscriptions_changed(${since.snapshot}::pg_snapshot, ${since.at}::timestamptz) as changes
    from taken`.execute(tx)
  return rows[0] as DueEvents
}

/** Queues each event of these batches on its own. A batch that another node has taken meanwhile is skipped. */
export const splitBatchesUnscoped = async (tx: Db, seqs: readonly number[], now: Date): Promise<void> => {
  await sql`
    with split as (
      delete from event_batches where seq = any(${seqs}::bigint[]) returning seqs
    ), places as (
      select unnest(seqs) as seq from split
    )
    insert into event_dispatches (seq, event_id, due_at, lane)
    select seq, event_id, least(${now}, statement_timestamp()), dispatch_lane(scope_id) from events
    where seq = any(array(select seq from places))
      and seq between (select min(seq) from places) and (select max(seq) from places)`.execute(tx)
}
