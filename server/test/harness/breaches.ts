/** Breaches of P1 to P3, read from the tables. For tests and for `npm run chaos`. */
import { type Kysely, sql } from 'kysely'
import type { Tables } from '#kernel/db/tables.ts'

type Db = Kysely<Tables>

/** Nothing is queued for dispatch, and no run is active. */
export const isAtRest = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from event_dispatches) + (select count(*) from event_batches)
      + (select count(*) from postponed_events)
      + (select count(*) from runs where status in ('queued', 'running', 'waiting')) as count`.execute(db)
  return Number(rows[0]?.count) === 0
}

/** Rows that must not exist, by the promise that they would break. */
const queries = (toleranceMs: number) => ({
  'P1: a run without the decision that started it': sql`
    select r.id from runs r where r.trigger_kind = 'event' and r.retry_of is null and not exists (
      select from event_deliveries d where d.run_id = r.id and d.event_id = r.event_id and d.decision = 'fired')`,
  'P1: a decision without its run': sql`
    select d.run_id as id from event_deliveries d where d.decision = 'fired' and not exists (
      select from runs r where r.id = d.run_id and r.event_id = d.event_id
        and (r.trigger_id = d.subscription_id or r.trigger_kind = 'webhook'))`,
  'P1: two runs for one event and subscription': sql`
    select event_id as id from runs where trigger_kind = 'event' and retry_of is null
    group by event_id, trigger_id having count(*) > 1`,
  // By what they did, not by when they were made: that moment is taken before the database says whose turn it is.
  'P2: two runs of one correlation that were at work at the same time': sql`
    with spans as (
      select r.id, r.workflow_id, r.correlation_id, min(s.started_at) as began, max(s.finished_at) as ended
      from runs r join run_steps s on s.run_id = r.id where r.is_one_per_correlation group by r.id
    )
    select one.id from spans one join spans other on other.workflow_id = one.workflow_id
      and other.correlation_id = one.correlation_id and other.id > one.id
    where one.began < other.ended - ${toleranceMs}::int * interval '1 millisecond'
      and other.began < one.ended - ${toleranceMs}::int * interval '1 millisecond'`,
  'P3: a node that succeeded twice': sql`
    select run_id as id from run_steps where status = 'succeeded' group by run_id, node_id having count(*) > 1`,
  'P3: something under way in a run that has ended': sql`
    select s.id from run_steps s join runs r on r.id = s.run_id
    where r.finished_at is not null and s.status in ('running', 'retrying', 'waiting')`,
  'P3: a run that emitted another number of events than it has nodes for': sql`
    select r.id from runs r where r.status = 'succeeded'
      and (select count(*) from events e where e.causation_run_id = r.id) <> 1`,
})

/**
 * The ids of what breaks each promise; those that are kept are left out. Call it once everything is idle. With several
 * processes give a tolerance: their copies of the database's time differ by some milliseconds.
 */
export const findBreaches = async (db: Db, toleranceMs = 0): Promise<Record<string, unknown[]>> => {
  const found: Record<string, unknown[]> = {}
  for (const [breach, query] of Object.entries(queries(toleranceMs))) {
    const { rows } = await query.execute(db)
    if (rows.length > 0) found[breach] = rows
  }
  return found
}

export const promises = Object.keys(queries(0))
