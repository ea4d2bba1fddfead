/** All SQL for `chats`. Reads are scoped by the actor: a foreign chat is not found. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatsTable } from '../tables.ts'

export type ChatRow = Omit<Selectable<ChatsTable>, 'search'>

const columns = [
  'id',
  'userId',
  'title',
  'currentId',
  'models',
  'params',
  'files',
  'tags',
  'extra',
  'timestampMs',
  'folderId',
  'pinned',
  'archived',
  'shareId',
  'messageCount',
  'byteSize',
  'version',
  'hasOwnTitle',
  'hasOwnTags',
  'createdAt',
  'updatedAt',
] as const

const chatOf = (db: Db, actor: Pick<Actor, 'id'>, id: string) =>
  db.selectFrom('chats').select(columns).where('id', '=', id).where('userId', '=', actor.id)

export const findChat = (db: Db, actor: Pick<Actor, 'id'>, id: string): Promise<ChatRow | undefined> =>
  chatOf(db, actor, id).executeTakeFirst()

/** Concurrent writers of one chat wait for each other. */
export const lockChat = (db: Db, actor: Pick<Actor, 'id'>, id: string): Promise<ChatRow | undefined> =>
  chatOf(db, actor, id).forNoKeyUpdate().executeTakeFirst()

export const lockChatUnscoped = (db: Db, id: string): Promise<ChatRow | undefined> =>
  db.selectFrom('chats').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const findChatUnscoped = (db: Db, id: string): Promise<ChatRow | undefined> =>
  db.selectFrom('chats').select(columns).where('id', '=', id).executeTakeFirst()

/** The driver would send a list as a PostgreSQL array; objects it writes as JSON itself. */
const list = (value: readonly unknown[]) => sql<never[]>`${JSON.stringify(value)}::jsonb`

export const insertChatUnscoped = (db: Db, chat: Insertable<ChatsTable>): Promise<ChatRow> =>
  db
    .insertInto('chats')
    .values({ ...chat, models: list(chat.models), files: list(chat.files) })
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Every change of a chat or its messages goes through here, so that its version increases. */
export const updateChatUnscoped = (
  db: Db,
  id: string,
  {
    grownBytes = 0,
    added = 0,
    models,
    files,
    ...change
  }: Updateable<ChatsTable> & { grownBytes?: number; added?: number },
): Promise<ChatRow> =>
  db
    .updateTable('chats')
    .set((row) => ({
      ...change,
      ...(models && { models: list(models) }),
      ...(files && { files: list(files) }),
      version: row('version', '+', 1),
      byteSize: row('byteSize', '+', grownBytes),
      messageCount: row('messageCount', '+', added),
    }))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
