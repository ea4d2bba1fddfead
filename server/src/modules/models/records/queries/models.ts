/** All SQL for `models` and the count of changes. Rows are read whole into the catalog, which knows who may see what. */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ModelsTable } from '../../tables.ts'

export type ModelRow = ModelsTable

/** A row with its grants; null where it is open to everyone. */
export interface ModelRecord extends ModelRow {
  grants: readonly AccessGrant[] | null
}

export const listModelsUnscoped = (db: Db): Promise<ModelRow[]> => db.selectFrom('models').selectAll().execute()

export const listModelsAmongUnscoped = async (db: Db, ids: readonly string[]): Promise<ModelRow[]> =>
  ids.length === 0 ? [] : db.selectFrom('models').selectAll().where(sql<boolean>`id = any(${ids}::text[])`).execute()

export const lockModelUnscoped = (db: Db, id: string) =>
  db.selectFrom('models').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** False when the id is taken. */
export const insertModelUnscoped = async (db: Db, row: ModelRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('models')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const updateModelUnscoped = (db: Db, { id, ...change }: ModelRow) =>
  db.updateTable('models').set(change).where('id', '=', id).execute()

export const deleteModelUnscoped = (db: Db, id: string) => db.deleteFrom('models').where('id', '=', id).execute()

const ownedBy = (userId: string) => ({ ownerKind: 'user' as const, ownerId: userId })

export const handOverModelsUnscoped = (db: Db, userId: string, heirId: string) =>
  db
    .updateTable('models')
    .set({ ownerId: heirId })
    .where(({ and }) => and(ownedBy(userId)))
    .execute()

export const deleteModelsOfUnscoped = (db: Db, userId: string) =>
  db
    .deleteFrom('models')
    .where(({ and }) => and(ownedBy(userId)))
    .returning('id')
    .execute()

export const countOwnModels = async (db: Db, actor: Actor): Promise<number> => {
  const { count } = await db
    .selectFrom('models')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('ownerKind', '=', actor.kind)
    .where('ownerId', '=', actor.id)
    .executeTakeFirstOrThrow()
  return count
}

/** The base model of this model; null where it has none or is not a custom model. */
export const findBaseIdUnscoped = async (db: Db, id: string): Promise<string | null> =>
  (await db.selectFrom('models').select('baseModelId').where('id', '=', id).executeTakeFirst())?.baseModelId ?? null
