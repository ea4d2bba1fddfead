/** All SQL for `tool_servers`. They belong to the instance, and its owners alone change them. */
import type { Db } from '#kernel/db/database.ts'
import type { ToolServersTable } from '../tables.ts'

export type ToolServerRow = ToolServersTable

export const listToolServersUnscoped = (db: Db): Promise<ToolServerRow[]> =>
  db.selectFrom('toolServers').selectAll().orderBy('position').execute()

/** In the caller's transaction, which has locked the count of changes: the list is replaced as a whole. */
export const replaceToolServersUnscoped = async (db: Db, rows: readonly ToolServerRow[]): Promise<void> => {
  await db.deleteFrom('toolServers').execute()
  if (rows.length > 0)
    await db
      .insertInto('toolServers')
      .values([...rows])
      .execute()
}
