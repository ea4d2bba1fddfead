/** Deletes old runs and their steps. It concerns every scope, so all of it is unscoped. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

interface Ended {
  id: string
  finishedAt: Date
}

/** The next ended runs whose steps still exist, oldest first. */
const listNextEndedUnscoped = async (tx: Db, before: Date, limit: number): Promise<Ended[]> => {
  const { rows: through } = await sql<Ended>`
    select through_at as finished_at, through_id as id from step_retention for update`.execute(tx)
  const { rows } = await sql<Ended>`
    select id, finished_at from runs
    where (finished_at, id) > (${through[0]?.finishedAt}, ${through[0]?.id}) and finished_at < ${before}
    order by finished_at, id limit ${limit}`.execute(tx)
  return rows
}

const runsPerBatch = 200

/**
 * Returns whether there may be more. The position moves past runs in the transaction that deletes the last of their
 * steps.
 */
export const deleteStepsBeforeUnscoped = (db: Db, before: Date, limit: number): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const runs = await listNextEndedUnscoped(tx, before, runsPerBatch)
    const last = runs.at(-1)
    if (!last) return false
    const { numAffectedRows } = await sql`
      delete from run_steps where id in (
        select id from run_steps where run_id = any(${runs.map(({ id }) => id)}::uuid[]) limit ${limit})`.execute(tx)
    if (Number(numAffectedRows ?? 0) === limit) return true
    await sql`update step_retention set through_at = ${last.finishedAt}, through_id = ${last.id}`.execute(tx)
    return runs.length === runsPerBatch
  })

/** Deeper than workflows may call each other. */
const maxLevels = 20

/**
 * Returns whether there may be more. While a run goes on, all of its line of retries is kept, and so are their children and
 * the retries of these, on every level: a loop or a `for_each` that didn't find them would start them again.
 */
export const deleteRunsBeforeUnscoped = async (db: Db, before: Date, limit: number): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    delete from runs where id in (
      select r.id from runs r
      where r.finished_at < ${before} and not exists (
        with recursive line (first_id, level) as (
          select coalesce(r.retry_of, r.id), 1
          union
          select coalesce(parent.retry_of, parent.id), line.level + 1
          from line
          join runs member on member.id = line.first_id or member.retry_of = line.first_id
          join runs parent on parent.id = member.parent_run_id
          where line.level < ${maxLevels}
        )
        select from line join runs active on active.id = line.first_id or active.retry_of = line.first_id
        where active.finished_at is null)
      order by r.finished_at limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0) === limit
}

/** Approvals that nobody answered, once their step is deleted. Answered ones are evidence and stay. */
export const deleteUnansweredUnscoped = async (db: Db, limit: number): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    delete from approvals where step_id in (
      select a.step_id from approvals a
      where a.answered_at is null and not exists (select from run_steps s where s.id = a.step_id) limit ${limit})
  `.execute(db)
  return Number(numAffectedRows ?? 0) === limit
}
