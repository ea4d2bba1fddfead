/** All SQL for `settings`. They belong to the instance, and its owners alone come here. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { SettingsTable } from './tables.ts'

/** Every saved value, by key. */
export const listSavedUnscoped = async (db: Db): Promise<Map<string, unknown>> => {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  return new Map(rows.map(({ key, value }) => [key, value]))
}

export const upsertSettingUnscoped = async (db: Db, { value, ...row }: SettingsTable): Promise<void> => {
  const json = sql`${JSON.stringify(value)}::jsonb`
  const { key, ...change } = row
  await db
    .insertInto('settings')
    .values({ ...row, value: json })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ ...change, value: json }))
    .execute()
}

/** False when none was saved. */
export const deleteSettingUnscoped = async (db: Db, key: string): Promise<boolean> => {
  const { numDeletedRows } = await db.deleteFrom('settings').where('key', '=', key).executeTakeFirst()
  return numDeletedRows > 0n
}
