/** SQL for the statistics of workflows. The caller has found the workflow, so all of it is unscoped. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { bucketGrowth, type HourRow } from '../core/run-stats.ts'

interface Span {
  from: Date
  to: Date
}

/** Runs that ended, counted by workflow, hour and currency. */
const countEnded = (condition: RawBuilder<unknown>) => sql`
  select workflow_id, hour, currency,
    coalesce(sum(n) filter (where status = 'succeeded'), 0)::integer as succeeded,
    coalesce(sum(n) filter (where status = 'failed'), 0)::integer as failed,
    coalesce(sum(n) filter (where status = 'cancelled'), 0)::integer as cancelled,
    coalesce(sum(n) filter (where status = 'timed_out'), 0)::integer as timed_out,
    sum(cost) as cost, coalesce(jsonb_object_agg(bucket, n) filter (where bucket is not null), '{}') as durations,
    coalesce(jsonb_object_agg(bucket, ms) filter (where bucket is not null), '{}') as duration_sums
  from (
    select workflow_id, hour, currency, status, bucket, count(*) as n, sum(cost) as cost, round(sum(ms)) as ms
    from (
      select r.workflow_id, date_trunc('hour', r.finished_at, 'UTC') as hour, coalesce(r.currency, '') as currency,
        r.status, coalesce(r.cost, 0) as cost, took.ms,
        case when r.status = 'succeeded' then
          floor(ln(greatest(took.ms, 1)) / ln(${bucketGrowth}::numeric))::integer end as bucket
      from runs r cross join lateral (
        select greatest(0, extract(epoch from date_trunc('milliseconds', r.finished_at)
          - date_trunc('milliseconds', coalesce(r.started_at, r.created_at))) * 1000) as ms) took
      where r.finished_at is not null and not r.is_test and ${condition}) ended
    group by workflow_id, hour, currency, status, bucket) counted
  group by workflow_id, hour, currency`

/** Writes these hours, again where they were written before. `workflowIds` are all there are: those of deleted ones are left out. */
export const foldHoursUnscoped = async (
  tx: Db,
  workflowIds: RawBuilder<unknown>,
  { from, to }: Span,
): Promise<void> => {
  const counted = countEnded(sql`r.finished_at >= ${from} and r.finished_at < ${to}`)
  await sql`
    insert into workflow_run_hours
      (workflow_id, hour, currency, succeeded, failed, cancelled, timed_out, cost, durations,
      duration_sums)
    select c.* from (${counted}) c join (${workflowIds}) w on w.id = c.workflow_id
    on conflict (workflow_id, hour, currency) do update set
      succeeded = excluded.succeeded, failed = excluded.failed, cancelled = excluded.cancelled,
      timed_out = excluded.timed_out, cost = excluded.cost, durations = excluded.durations,
      duration_sums = excluded.duration_sums`.execute(tx)
}

/** The folded hours by their key, and the runs since then by `runs_ended_of_workflow`. */
export const listHoursUnscoped = async (
  db: Db,
  workflowId: string,
  { from, folded }: { from: Date; folded: Date },
): Promise<HourRow[]> => {
  const since = new Date(Math.max(from.getTime(), folded.getTime()))
  const recent = countEnded(sql`r.workflow_id = ${workflowId} and r.finished_at >= ${since}`)
  const { rows } = await sql<HourRow>`
    select hour, currency, succeeded, failed, cancelled, timed_out, cost::text as cost, durations, duration_sums
    from workflow_run_hours where workflow_id = ${workflowId} and hour >= ${from} and hour < ${folded}
    union all
    select hour, currency, succeeded, failed, cancelled, timed_out, cost::text, durations, duration_sums from (${recent}) c`.execute(
    db,
  )
  return rows
}

/** Up to when runs are folded; undefined before the first time. */
export const findFoldedUnscoped = async (db: Db): Promise<Date | undefined> =>
  (await db.selectFrom('runHoursFolded').select('until').executeTakeFirst())?.until

export const saveFoldedUnscoped = async (tx: Db, until: Date): Promise<void> => {
  await tx
    .insertInto('runHoursFolded')
    .values({ onlyOne: true, until })
    .onConflict((conflict) => conflict.column('onlyOne').doUpdateSet({ until }))
    .execute()
}

export const deleteHoursBeforeUnscoped = async (tx: Db, before: Date): Promise<void> => {
  await tx.deleteFrom('workflowRunHours').where('hour', '<', before).execute()
}
