/** All SQL for `chat_shares`. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { ChatSharesTable } from '../tables.ts'

export type ShareRow = Selectable<ChatSharesTable>

/** A chat has one share; sharing again updates the snapshot under the same address. */
export const saveShareUnscoped = (db: Db, share: Insertable<ChatSharesTable>): Promise<ShareRow> => {
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

export const findShareOfUnscoped = (db: Db, chatId: string): Promise<ShareRow | undefined> =>
  db.selectFrom('chatShares').selectAll().where('chatId', '=', chatId).executeTakeFirst()

/** The caller decides whether the link is still open. */
export const findShareByTokenUnscoped = (db: Db, token: string): Promise<ShareRow | undefined> =>
  db.selectFrom('chatShares').selectAll().where('publicToken', '=', token).executeTakeFirst()

export const updateShareUnscoped = (
  db: Db,
  chatId: string,
  change: Pick<ShareRow, 'publicToken' | 'publicOrganizationId' | 'showsAuthor'>,
): Promise<ShareRow> =>
  db.updateTable('chatShares').set(change).where('chatId', '=', chatId).returningAll().executeTakeFirstOrThrow()

/** Returns what was deleted. */
export const deleteShareUnscoped = (db: Db, chatId: string): Promise<ShareRow | undefined> =>
  db.deleteFrom('chatShares').where('chatId', '=', chatId).returningAll().executeTakeFirst()
