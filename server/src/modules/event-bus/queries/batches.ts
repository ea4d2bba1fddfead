/** All SQL for `event_batches`: events that were published together and are dispatched together. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { BatchLimits } from '../payload.ts'
import type { DueEvents } from './dispatches.ts'

interface Request {
  /** Batches before this position are skipped. */
  from: number
  limits: BatchLimits
}

/** One scan reads no more batches than this, however small they are. */
const maxBatches = 200

/** Removes the next batches from the queue, at least one if there is one. A rollback puts them back. */
export const takeBatchesUnscoped = async (tx: Db, { from, limits }: Request): Promise<DueEvents> => {
  const { rows } = await prepared<DueEvents>`
    with next as materialized (
      select *, cardinality(seqs) as count, sum(bytes) over so_far as bytes_so_far,
        sum(cardinality(seqs)) over so_far as count_so_far
      from (select * from event_batches where seq >= ${from} order by seq limit ${maxBatches}) as scanned
      window so_far as (order by seq rows unbounded preceding)
    ), fitting as (
      select * from next
      where count_so_far = count or (bytes_so_far <= ${limits.bytes} and count_so_far <= ${limits.events})
    ), taken as (
      delete from event_batches where seq = any(array(select seq from fitting)) returning *
    )
    select coalesce(max(seq), 0) as last,
      count(*) = ${maxBatches} or count(*) < (select count(*) from next) as is_full,
      ('[' || coalesce(string_agg(array_to_string(seqs, ','), ','), '') || ']')::json as seqs,
      array(select distinct unnest(event_types) from taken) as event_types,
      (select version from subscription_changes where id) as subscriptions_version
    from taken`.execute(tx)
  return rows[0] as DueEvents
}

/** Queues each event of these batches on its own. A batch that another node has taken meanwhile is skipped. */
export const splitBatchesUnscoped = async (tx: Db, seqs: readonly number[], now: Date): Promise<void> => {
  await sql`
    with split as (
      delete from event_batches where seq = any(${seqs}::bigint[]) returning seqs
    )
    insert into event_dispatches (seq, event_id, due_at)
    select seq, event_id, least(${now}, statement_timestamp()) from events where seq = any(array(select unnest(seqs) from split))`.execute(
    tx,
  )
}
