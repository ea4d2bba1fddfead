/** What became of events: one statement for a page of them, by primary keys, except for the batches that wait in the queue. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { scopesOf } from './events.ts'

export interface OutcomeRow {
  eventId: string
  isQueued: boolean
  /** Its dispatch failed permanently. */
  isDead: boolean
  /** Decisions for the actor's subscriptions. */
  decisions: number
  filterErrors: number
  /** The runs it started. */
  runIds: string[]
}

/** In the order they were published. A batch in the queue starts with its lowest position, so later ones are not read. */
export const listOutcomes = async (db: Db, actor: Actor, eventIds: readonly string[]): Promise<OutcomeRow[]> => {
  const { rows } = await sql<OutcomeRow>`
    with asked as materialized (
      select event_id, seq from events
      where event_id = any(${eventIds}::uuid[]) and scope_id = any(${scopesOf(actor)}::uuid[])
    ), queued as materialized (
      select seq from event_dispatches where seq = any(array(select seq from asked))
      union all
      select unnest(seqs) from event_batches
      where seq <= (select max(seq) from asked) and seqs && array(select seq from asked)
    ), decided as (
      select event_id, count(*) as decisions, count(*) filter (where decision = 'filter_error') as filter_errors,
        array_agg(run_id) filter (where decision = 'fired') as run_ids
      from event_deliveries
      where event_id = any(array(select event_id from asked)) and scope_id = ${scopeOf(actor)}
      group by event_id
    )
    select asked.event_id, asked.seq in (select seq from queued) as is_queued,
      exists (select from event_dead_letters dead where dead.event_id = asked.event_id) as is_dead,
      coalesce(decisions, 0)::int as decisions, coalesce(filter_errors, 0)::int as filter_errors,
      coalesce(run_ids, '{}') as run_ids
    from asked left join decided using (event_id) order by asked.seq`.execute(db)
  return rows
}
