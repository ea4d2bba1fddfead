/** All SQL for `connections`. They belong to the instance, and its owners alone change them. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { ConnectionsTable } from '../tables.ts'

export type ConnectionRow = ConnectionsTable

export const listConnectionsUnscoped = (db: Db): Promise<ConnectionRow[]> =>
  db.selectFrom('connections').selectAll().orderBy('createdAt').orderBy('id').execute()

export const lockConnectionUnscoped = (db: Db, id: string) =>
  db.selectFrom('connections').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const upsertConnectionUnscoped = async (db: Db, { modelIds, tags, ...row }: ConnectionRow): Promise<void> => {
  const lists = { modelIds: modelIds === null ? null : asJson(modelIds), tags: asJson(tags) }
  const { id, createdAt, ...change } = row
  await db
    .insertInto('connections')
    .values({ ...row, ...lists })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...change, ...lists }))
    .execute()
}

/** A list would be taken for an array of PostgreSQL otherwise. */
const asJson = (value: string[]) => sql<string[]>`${JSON.stringify(value)}::jsonb`

/** False when there was none. */
export const deleteConnectionUnscoped = async (db: Db, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db.deleteFrom('connections').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
