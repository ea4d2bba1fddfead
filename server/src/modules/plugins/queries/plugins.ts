/** All SQL for `plugins`. Rows are read whole into the catalog, which knows who may see what. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { PluginsTable } from '../tables.ts'

export type PluginRow = PluginsTable

/** An id can be another plugin's by now: what belongs to a plugin belongs to the one that was made at this time. */
export type OfPlugin = Pick<PluginRow, 'id' | 'createdAt'>

export const listPluginsUnscoped = (db: Db): Promise<PluginRow[]> =>
  db.selectFrom('plugins').selectAll().orderBy('id').execute()

export const lockPluginUnscoped = (db: Db, id: string) =>
  db.selectFrom('plugins').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Never one that another plugin has or had, also under the same id. */
const newVersion = sql<number>`nextval('plugin_versions')`

/** False when the id is taken. */
export const insertPluginUnscoped = async (db: Db, row: Omit<PluginRow, 'version'>): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('plugins')
    .values({ ...row, version: newVersion })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const updatePluginUnscoped = (db: Db, { id, ...change }: PluginRow) =>
  db
    .updateTable('plugins')
    .set({ ...change, version: newVersion })
    .where('id', '=', id)
    .execute()

export const deletePluginUnscoped = (db: Db, id: string) => db.deleteFrom('plugins').where('id', '=', id).execute()
