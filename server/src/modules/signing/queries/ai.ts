/** All SQL for `signing_ai`. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { SigningAiTable } from '../tables.ts'

export const findAiSettings = (db: Db, actor: Actor): Promise<SigningAiTable | undefined> =>
  db.selectFrom('signingAi').selectAll().where('scopeId', '=', scopeOf(actor)).executeTakeFirst()

/** A person without an organization takes their settings with them. */
export const deleteAiSettingsUnscoped = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom('signingAi').where('scopeId', '=', userId).execute()
}

export const saveAiSettings = async (
  db: Db,
  actor: Actor,
  settings: Omit<SigningAiTable, 'scopeId'>,
): Promise<void> => {
  await db
    .insertInto('signingAi')
    .values({ scopeId: scopeOf(actor), ...settings })
    .onConflict((conflict) => conflict.column('scopeId').doUpdateSet(settings))
    .execute()
}
