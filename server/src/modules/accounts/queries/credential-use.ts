/** Writes when sessions and keys were last used, many at once. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

export const writeLastUseUnscoped = async (
  db: Db,
  table: 'sessions' | 'api_keys',
  uses: readonly (readonly [string, Date])[],
) => {
  const inLockOrder = [...uses].sort(([a], [b]) => a.localeCompare(b))
  await sql`
    update ${sql.table(table)} as t set last_used_at = greatest(t.last_used_at, u.at)
    from unnest(${inLockOrder.map(([id]) => id)}::uuid[], ${inLockOrder.map(([, at]) => at)}::timestamptz[]) as u (id, at)
    where t.id = u.id`.execute(db)
}
