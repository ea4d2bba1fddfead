import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

/** Whether somebody waits for a lock in this database. */
export const isBlocked = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}
