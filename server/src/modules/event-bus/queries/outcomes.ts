/** Outcomes of events: one statement for a page of them, whose cost depends neither on the history nor on the queue. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { unknownSeq } from './deliveries.ts'
import { scopesOf } from './events.ts'
import { isBatched } from './queued.ts'

export interface OutcomeRow {
  eventId: string
  isQueued: boolean
  /** Its dispatch failed permanently. */
  isDead: boolean
  /** Decisions for the actor's subscriptions. */
  decisions: number
  filterErrors: number
  /** It is so old that decisions for it may have been deleted. */
  mayHaveLostDecisions: boolean
  /** The runs it started. */
  runIds: string[]
}

/** Ids are looked for in the partitions of so many positions first, and in all others only where that finds nothing. */
const recentSeqs = 20_000_000

/** In the order they were published. `offset 0`: found by id first, and not by reading the index of the scope. */
export const listOutcomes = async (db: Db, actor: Actor, eventIds: readonly string[]): Promise<OutcomeRow[]> => {
  const { rows } = await sql<OutcomeRow>`
    with recent as materialized (
      select event_id, seq, published_at, scope_id from events
      where event_id = any(${eventIds}::uuid[]) and seq >= (select last_value - ${recentSeqs}::bigint from events_seq_seq)
      offset 0
    ), older as materialized (
      select event_id, seq, published_at, scope_id from events
      where event_id = any(array(select unnest(${eventIds}::uuid[]) except select event_id from recent))
        and seq < (select last_value - ${recentSeqs}::bigint from events_seq_seq)
      offset 0
    ), asked as materialized (
      select event_id, seq, published_at from (table recent union all table older) as found
      where scope_id = any(${scopesOf(actor)}::uuid[])
    ), decided as (
      select event_id, count(*) as decisions, count(*) filter (where decision = 'filter_error') as filter_errors,
        array_agg(run_id) filter (where decision = 'fired') as run_ids
      from event_deliveries
      where event_id = any(array(select event_id from asked)) and scope_id = ${scopeOf(actor)}
        and (seq between (select min(seq) from asked) and (select max(seq) from asked) or seq = ${unknownSeq})
      group by event_id
    )
    select asked.event_id,
      exists (select from event_dispatches alone where alone.seq = asked.seq)
        or exists (select from postponed_events p where p.seq = asked.seq and p.scope_id = ${scopeOf(actor)})
        or ${isBatched(sql`asked.seq`)} as is_queued,
      exists (select from event_dead_letters dead where dead.event_id = asked.event_id) as is_dead,
      coalesce(decisions, 0)::int as decisions, coalesce(filter_errors, 0)::int as filter_errors,
      coalesce(run_ids, '{}') as run_ids,
      asked.published_at < (select through_at from delivery_retention) as may_have_lost_decisions
    from asked left join decided using (event_id) order by asked.seq`.execute(db)
  return rows
}
