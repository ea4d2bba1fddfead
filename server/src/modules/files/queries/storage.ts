/** SQL for how much the files of a scope take: of an organization, or of a person without one. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

export const countBytesUnscoped = async (db: Db, scopeId: string): Promise<number> => {
  const { rows } = await sql<{ total: number }>`select (
      (select coalesce(sum(size), 0) from files where organization_id = ${scopeId})
      + (select coalesce(sum(size), 0) from files
         where owner_kind = 'user' and owner_id = ${scopeId} and organization_id is null)
    )::int8 as total`.execute(db)
  return rows[0]?.total ?? 0
}

export const lockStorageUnscoped = (db: Db, scopeId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`files ${scopeId}`}, 0))`.execute(db)
