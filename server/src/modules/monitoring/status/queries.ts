/** All SQL for `status_samples`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { prepared } from '#kernel/db/prepared.ts'
import { nilId } from '#kernel/ids.ts'
import { type Figures, mostRefused, refusedPrefix } from './measures.ts'

/** Seconds that a row is about. */
export type Step = 60 | 600 | 3600

export interface Sample {
  at: Date
  minutes: number
  counts: Figures
  levels: Figures
}

/** True for the one process that reads for all what is in the database. */
export const claimMinuteUnscoped = async (db: Db, at: Date): Promise<boolean> => {
  const { numAffectedRows } = await prepared`
    insert into status_samples (step_sec, at, node_id, minutes, counts, levels)
    values (60, ${at}, ${nilId}, 1, '{}', '{}') on conflict do nothing`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

export const saveLevelsUnscoped = (db: Db, at: Date, levels: Figures) =>
  prepared`
    update status_samples set levels = ${JSON.stringify(levels)}::jsonb
    where step_sec = 60 and at = ${at} and node_id = ${nilId}`.execute(db)

/** False where this process has written that minute already, as after its clock was set back. */
export const insertCountsUnscoped = async (
  db: Db,
  { at, nodeId, counts }: { at: Date; nodeId: string; counts: Figures },
): Promise<boolean> => {
  const { numAffectedRows } = await prepared`
    insert into status_samples (step_sec, at, node_id, minutes, counts, levels)
    values (60, ${at}, ${nodeId}, 0, ${JSON.stringify(counts)}::jsonb, '{}') on conflict do nothing`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Of whom quotas refused, each period has those who were most often. */
const mostRefusedOfPeriod = mostRefused * 2

const readPart = (column: 'counts' | 'levels', join: 'sum' | 'max') => sql`
  select period, jsonb_object_agg(key, value) as ${sql.ref(column)} from (
    select period, key, value,
      row_number() over (partition by period, starts_with(key, ${refusedPrefix}) order by value desc) as place
    from (
      select period, key, ${sql.raw(join)}(value::float8) as value
      from rows, jsonb_each_text(${sql.ref(column)}) group by period, key
    ) as figures
  ) as ranked where not starts_with(key, ${refusedPrefix}) or place <= ${mostRefusedOfPeriod}
  group by period`

/** `rows`: (at, minutes, counts, levels). Counts are added up, of levels the largest is taken. */
const foldOf = (rows: ReturnType<typeof sql>, stepSec: number) => sql<Sample>`
  with rows as (
    select date_bin(${stepSec}::int * interval '1 second', at, 'epoch'::timestamptz) as period, minutes, counts, levels
    from (${rows}) as samples
  ), added as (${readPart('counts', 'sum')}), highest as (${readPart('levels', 'max')})
  select period as at, covered.minutes, coalesce(counts, '{}') as counts, coalesce(levels, '{}') as levels
  from (select period, sum(minutes)::int as minutes from rows group by period) as covered
    left join added using (period) left join highest using (period)
  order by period`

interface Asked {
  from: Date
  /** Rows from later were written while the clock was wrong. */
  now: Date
  source: Exclude<Step, 60>
  stepSec: number
}

/** In periods of `stepSec`: the rows of `from`, and the minutes that are not in one yet. */
export const listPeriodsUnscoped = async (db: Db, { from, now, source, stepSec }: Asked): Promise<Sample[]> => {
  const since = sql`coalesce((select max(at) + ${source}::int * interval '1 second' from status_samples
    where step_sec = ${source} and at <= ${now}), ${from})`
  const { rows } = await foldOf(
    sql`
      select at, minutes, counts, levels from status_samples
      where step_sec = ${source} and at between ${from} and ${now}
      union all
      select at, minutes, counts, levels from status_samples
      where step_sec = 60 and at between greatest(${from}, ${since}) and ${now}`,
    stepSec,
  ).execute(db)
  return rows
}

/**
 * Adds rows of `source` up, in the periods that ended before `until`. The latest of before is made again, for what came
 * late. Safe to repeat.
 */
export const rollUpUnscoped = async (
  db: Db,
  { source, step, until }: { source: Step; step: Exclude<Step, 60>; until: Date },
): Promise<void> => {
  const rows = sql`
    select at, minutes, counts, levels from status_samples
    where step_sec = ${source} and at < date_bin(${step}::int * interval '1 second', ${until}, 'epoch'::timestamptz)
      and at >= coalesce((select max(at) from status_samples where step_sec = ${step} and at < ${until}), '-infinity')`
  await sql`
    insert into status_samples (step_sec, at, node_id, minutes, counts, levels)
    select ${step}, at, ${nilId}, minutes, counts, levels from (${foldOf(rows, step)}) as periods
    on conflict (step_sec, at, node_id) do update
    set minutes = excluded.minutes, counts = excluded.counts, levels = excluded.levels`.execute(db)
}

export const deleteSamplesUnscoped = (db: Db, { step, before }: { step: Step; before: Date }) =>
  db.deleteFrom('statusSamples').where('stepSec', '=', step).where('at', '<', before).execute()

export const findLatestUnscoped = async (db: Db, now: Date): Promise<Date | undefined> =>
  (
    await db
      .selectFrom('statusSamples')
      .select('at')
      .where('stepSec', '=', 60)
      .where('at', '<=', now)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.at
