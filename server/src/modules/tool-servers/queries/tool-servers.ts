/** All SQL for `tool_servers`. They belong to the instance, and its owners alone change them. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { ToolServersTable } from '../tables.ts'

export type ToolServerRow = ToolServersTable

const columns = [
  'id',
  'type',
  'name',
  'url',
  'path',
  'authType',
  'sealedKey',
  'sealedHeaders',
  'enabled',
  'needsApproval',
  'approvalExempt',
  'isRestricted',
  'position',
  'updatedAt',
] as const

export const listToolServersUnscoped = (db: Db): Promise<ToolServerRow[]> =>
  db.selectFrom('toolServers').select(columns).orderBy('position').execute()

/** Headers that an earlier release stored in the clear. */
export const listPlainHeadersUnscoped = async (db: Db): Promise<{ id: string; headers: Record<string, string> }[]> => {
  const { rows } = await sql<{ id: string; headers: Record<string, string> }>`
    select id, headers from tool_servers where headers <> '{}' and sealed_headers is null`.execute(db)
  return rows
}

/** Nothing where another node was first. */
export const sealHeadersUnscoped = (
  db: Db,
  { id, headers, sealedHeaders }: { id: string; headers: Record<string, string>; sealedHeaders: string | null },
) =>
  sql`
    update tool_servers set headers = '{}', sealed_headers = ${sealedHeaders}
    where id = ${id} and headers = ${JSON.stringify(headers)}::jsonb`.execute(db)

/** In the caller's transaction, which has locked the count of changes: the list is replaced as a whole. */
export const replaceToolServersUnscoped = async (db: Db, rows: readonly ToolServerRow[]): Promise<void> => {
  await db.deleteFrom('toolServers').execute()
  if (rows.length > 0)
    await db
      .insertInto('toolServers')
      .values([...rows])
      .execute()
}
