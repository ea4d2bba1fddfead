/** All SQL for `chat_shares`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { ChatSharesTable } from '../tables.ts'

export type ShareRow = ChatSharesTable

/** A chat has one share; sharing again updates the snapshot under the same address. */
export const saveShareUnscoped = (db: Db, share: ShareRow): Promise<ShareRow> => {
  const chat = sql<Record<string, unknown>>`${JSON.stringify(share.chat)}::json`
  const { title, sharedAt } = share
  return db
    .insertInto('chatShares')
    .values({ ...share, chat })
    .onConflict((conflict) => conflict.column('chatId').doUpdateSet({ title, sharedAt, chat }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The caller decides whether the reader may see it, by the author's organization. */
export const findShareUnscoped = (db: Db, id: string): Promise<ShareRow | undefined> =>
  db.selectFrom('chatShares').selectAll().where('id', '=', id).executeTakeFirst()

export const deleteShareUnscoped = (db: Db, chatId: string) =>
  db.deleteFrom('chatShares').where('chatId', '=', chatId).execute()
