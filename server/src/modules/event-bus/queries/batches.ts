/** All SQL for `event_batches`: what was published together, and is to be dispatched together. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import type { DueEvents } from './dispatches.ts'

interface Bounds {
  /** Batches before this place are passed over. */
  from: number
  events: number
  /** Of their payloads: all of them may be asked for. */
  bytes: number
}

/** A look goes no further, however small they are. */
const mostBatches = 200

/** Takes the next of them, at least one where there is one. Whoever fails gives them back by rolling back. */
export const takeBatchesUnscoped = async (tx: Db, { from, events, bytes }: Bounds): Promise<DueEvents> => {
  const { rows } = await prepared<DueEvents>`
    with next as materialized (
      select *, cardinality(seqs) as count, sum(bytes) over so_far as filled,
        sum(cardinality(seqs)) over so_far as count_so_far
      from (select * from event_batches where seq >= ${from} order by seq limit ${mostBatches}) as looked_at
      window so_far as (order by seq rows unbounded preceding)
    ), fitting as (
      select * from next where count_so_far = count or (filled <= ${bytes} and count_so_far <= ${events})
    ), taken as (
      delete from event_batches where seq = any(array(select seq from fitting))
    )
    select coalesce(sum(count), 0) as count, coalesce(max(seq), 0) as last,
      count(*) = ${mostBatches} or count(*) < (select count(*) from next) as is_full,
      '{' || coalesce(string_agg(array_to_string(seqs, ','), ','), '') || '}' as places,
      array(select distinct unnest(event_types) from fitting) as event_types,
      (select version from subscription_changes where id) as subscriptions_version
    from fitting`.execute(tx)
  return rows[0] as DueEvents
}

/** From now on each of their events is to be dispatched alone. A batch that somebody else has taken is passed over. */
export const partBatchRows = async (tx: Db, { places }: Pick<DueEvents, 'places'>, now: Date): Promise<void> => {
  await sql`
    with parted as (
      delete from event_batches where seq = any(${places}::bigint[]) returning seqs
    )
    insert into event_dispatches (seq, event_id, due_at)
    select seq, event_id, ${now} from events where seq = any(array(select unnest(seqs) from parted))`.execute(tx)
}
