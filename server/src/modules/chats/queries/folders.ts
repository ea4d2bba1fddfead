/** All SQL for `chat_folders`. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatFoldersTable } from '../tables.ts'

export type FolderRow = ChatFoldersTable
export type FolderWithCount = FolderRow & { chatCount: number }

export const findFolder = (db: Db, actor: Actor, id: string): Promise<FolderRow | undefined> =>
  db.selectFrom('chatFolders').selectAll().where('id', '=', id).where('userId', '=', actor.id).executeTakeFirst()

export const listFolders = (db: Db, actor: Actor): Promise<FolderWithCount[]> =>
  db
    .selectFrom('chatFolders')
    .selectAll()
    .select(sql<number>`(select count(*) from chats where folder_id = chat_folders.id)`.as('chatCount'))
    .where('userId', '=', actor.id)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()

export const countChatsUnscoped = async (db: Db, folderId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('chats')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('folderId', '=', folderId)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Locks all folders of a person while their nesting changes. The lock is on the account's id, since a person without
 * folders has no row to lock.
 */
export const lockFolders = async (db: Db, actor: Actor): Promise<FolderRow[]> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`folders ${actor.id}`}, 0))`.execute(db)
  return db.selectFrom('chatFolders').selectAll().where('userId', '=', actor.id).execute()
}

export const insertFolderUnscoped = (db: Db, folder: FolderRow) => db.insertInto('chatFolders').values(folder).execute()

export const updateFolder = (
  db: Db,
  actor: Actor,
  { id, ...change }: Pick<FolderRow, 'id' | 'name' | 'parentId' | 'updatedAt'>,
) => db.updateTable('chatFolders').set(change).where('id', '=', id).where('userId', '=', actor.id).execute()

/** Nested folders are deleted too; chats stay, without a folder. */
export const deleteFolder = async (db: Db, actor: Actor, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('chatFolders')
    .where('id', '=', id)
    .where('userId', '=', actor.id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
