import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

/** The number of sessions that wait for a lock in this database. */
export const countBlocked = async (db: Db): Promise<number> => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

export const isBlocked = async (db: Db): Promise<boolean> => (await countBlocked(db)) > 0
