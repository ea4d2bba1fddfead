/** All SQL for `chat_defaults`. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatDefaultsTable } from '../tables.ts'

export const findDefaults = (db: Db, actor: Actor): Promise<ChatDefaultsTable | undefined> =>
  db.selectFrom('chatDefaults').selectAll().where('userId', '=', actor.id).executeTakeFirst()

export const saveDefaults = (db: Db, actor: Actor, row: Omit<ChatDefaultsTable, 'userId'>) =>
  db
    .insertInto('chatDefaults')
    .values({ userId: actor.id, ...row })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
    .execute()

export const deleteDefaults = async (db: Db, actor: Actor): Promise<void> => {
  await db.deleteFrom('chatDefaults').where('userId', '=', actor.id).execute()
}
