/** All SQL for `chat_shares`. Only `readSnapshotUnscoped` reads the snapshot: it can have 16 MB. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { ChatSharesTable } from '../tables.ts'

export type ShareRow = Omit<Selectable<ChatSharesTable>, 'chat' | 'fileIds'>

const columns = [
  'id',
  'chatId',
  'userId',
  'title',
  'sharedAt',
  'publicToken',
  'publicOrganizationId',
  'showsAuthor',
] as const

/** A chat has one share; sharing again updates the snapshot under the same address. */
export const saveShareUnscoped = (
  db: Db,
  share: Insertable<ChatSharesTable> & { fileIds: string[] },
): Promise<ShareRow> => {
  const chat = sql<Record<string, unknown>>`${JSON.stringify(share.chat)}::json`
  const { title, sharedAt, fileIds } = share
  return db
    .insertInto('chatShares')
    .values({ ...share, chat })
    .onConflict((conflict) => conflict.column('chatId').doUpdateSet({ title, sharedAt, chat, fileIds }))
    .returning(columns)
    .executeTakeFirstOrThrow()
}

const shares = (db: Db) => db.selectFrom('chatShares').select(columns)

/** The caller decides whether the reader may see it, by the author's organization. */
export const findShareUnscoped = (db: Db, id: string): Promise<ShareRow | undefined> =>
  shares(db).where('id', '=', id).executeTakeFirst()

export const findShareOfUnscoped = (db: Db, chatId: string): Promise<ShareRow | undefined> =>
  shares(db).where('chatId', '=', chatId).executeTakeFirst()

/** The caller decides whether the link is still open. */
export const findShareByTokenUnscoped = (db: Db, token: string): Promise<ShareRow | undefined> =>
  shares(db).where('publicToken', '=', token).executeTakeFirst()

export const readSnapshotUnscoped = async (db: Db, id: string): Promise<Record<string, unknown> | undefined> =>
  (await db.selectFrom('chatShares').select('chat').where('id', '=', id).executeTakeFirst())?.chat

/** Null where the ids of the share's files are not stored yet. */
export const showsFileUnscoped = async (db: Db, id: string, fileId: string): Promise<boolean | null> => {
  const isShown = sql<boolean | null>`${fileId}::uuid = any(file_ids)`.as('isShown')
  const row = await db.selectFrom('chatShares').select(isShown).where('id', '=', id).executeTakeFirst()
  return row ? row.isShown : false
}

/** Leaves alone what sharing again has stored meanwhile. */
export const fillFileIdsUnscoped = async (db: Db, id: string, fileIds: string[]): Promise<void> => {
  await db.updateTable('chatShares').set({ fileIds }).where('id', '=', id).where('fileIds', 'is', null).execute()
}

export const updateShareUnscoped = (
  db: Db,
  chatId: string,
  change: Pick<ShareRow, 'publicToken' | 'publicOrganizationId' | 'showsAuthor'>,
): Promise<ShareRow> =>
  db.updateTable('chatShares').set(change).where('chatId', '=', chatId).returning(columns).executeTakeFirstOrThrow()

/** Returns what was deleted. */
export const deleteShareUnscoped = (db: Db, chatId: string): Promise<ShareRow | undefined> =>
  db.deleteFrom('chatShares').where('chatId', '=', chatId).returning(columns).executeTakeFirst()
