/** How many triggers a scope has. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

export const countTimetablesAndWebhooksUnscoped = async (db: Db, scopeId: string): Promise<number> => {
  const { rows } = await sql<{ count: string }>`
    select (select count(*) from cron_triggers where scope_id = ${scopeId}::uuid)
      + (select count(*) from webhook_triggers where scope_id = ${scopeId}::uuid) as count`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
