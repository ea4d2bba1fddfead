/** For the operator: how many runs of the whole instance are in which state. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

export const countActiveRunsUnscoped = async (db: Db): Promise<{ status: string; count: number }[]> => {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*) as count from runs where status in ('queued', 'running', 'waiting') group by status`.execute(
    db,
  )
  return rows
}
