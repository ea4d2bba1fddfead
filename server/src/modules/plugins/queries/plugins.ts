/** All SQL for `plugins`. Rows are read whole into the catalog, which knows who may see what. */
import type { Db } from '#kernel/db/database.ts'
import type { PluginsTable } from '../tables.ts'

export type PluginRow = PluginsTable

export const listPluginsUnscoped = (db: Db): Promise<PluginRow[]> =>
  db.selectFrom('plugins').selectAll().orderBy('id').execute()

export const lockPluginUnscoped = (db: Db, id: string) =>
  db.selectFrom('plugins').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** False when the id is taken. */
export const insertPluginUnscoped = async (db: Db, row: PluginRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('plugins')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const updatePluginUnscoped = (db: Db, { id, ...change }: PluginRow) =>
  db.updateTable('plugins').set(change).where('id', '=', id).execute()

export const deletePluginUnscoped = (db: Db, id: string) => db.deleteFrom('plugins').where('id', '=', id).execute()
