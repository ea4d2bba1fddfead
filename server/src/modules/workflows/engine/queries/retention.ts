/** Lets go of runs that ended long ago. Nobody's in particular, so all of it is unscoped. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

/** What they asked of people goes with the steps. */
export const deleteStepsBeforeUnscoped = async (db: Db, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from run_steps where id in (
      select s.id from run_steps s join runs r on r.id = s.run_id where r.finished_at < ${before} limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export const deleteRunsBeforeUnscoped = async (db: Db, before: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from runs where id in (select id from runs where finished_at < ${before} limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
