/** All SQL for reading and merging `chat_messages`. Whoever writes here holds the lock of the chat's row. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { mostMessages } from '../history.ts'
import type { MessageChange, StoredMessage } from '../merge-message.ts'
import type { ChatMessagesTable } from '../tables.ts'

export type MessageRow = Omit<Selectable<ChatMessagesTable>, 'search' | 'chatId' | 'userId'>

const columns = [
  ...(['id', 'parentId', 'role', 'content', 'done', 'taskId', 'timestampSec', 'body', 'size', 'position'] as const),
] as const

/** A list as one parameter: a statement takes only so many. */
const isAmong = (ids: readonly string[]) => sql<boolean>`id = any(${ids}::uuid[])`

/** For a reader of the whole chat: the body stays the text that it is. */
export type MessageTextRow = Omit<MessageRow, 'body' | 'taskId' | 'size' | 'position'> & { bodyText: string }

const messagesOf = (db: Db, chatId: string) =>
  db.selectFrom('chatMessages').select(columns).where('chatId', '=', chatId)

/** The chat must have been found through its owner. So it is in this whole file. */
export const listMessagesUnscoped = (db: Db, chatId: string): Promise<MessageRow[]> =>
  messagesOf(db, chatId).orderBy('position').execute()

const textsOf = (db: Db, chatId: string) =>
  db
    .selectFrom('chatMessages')
    .select(['id', 'parentId', 'role', 'content', 'done', 'timestampSec'])
    .select(sql<string>`body::text`.as('bodyText'))
    .where('chatId', '=', chatId)
    .orderBy('position')

export const listMessageTextsUnscoped = (db: Db, chatId: string): Promise<MessageTextRow[]> =>
  textsOf(db, chatId).execute()

export const listThreadTextsUnscoped = async (db: Db, chatId: string, id: string): Promise<MessageTextRow[]> =>
  textsOf(db, chatId)
    .where(isAmong(await listThreadIdsUnscoped(db, chatId, id)))
    .execute()

export const listMessagesAmongUnscoped = (db: Db, chatId: string, ids: readonly string[]): Promise<MessageRow[]> =>
  messagesOf(db, chatId).where(isAmong(ids)).orderBy('position').execute()

export const findMessageUnscoped = (db: Db, chatId: string, id: string): Promise<MessageRow | undefined> =>
  messagesOf(db, chatId).where('id', '=', id).executeTakeFirst()

/** Who is whose parent in the whole chat. */
export const listLinksUnscoped = (db: Db, chatId: string) =>
  db.selectFrom('chatMessages').select(['id', 'parentId']).where('chatId', '=', chatId).orderBy('position').execute()

/** The children of these messages. */
export const listChildLinksUnscoped = (db: Db, chatId: string, parentIds: readonly string[]) =>
  db
    .selectFrom('chatMessages')
    .select(['id', 'parentId'])
    .where('chatId', '=', chatId)
    .where(sql<boolean>`parent_id = any(${parentIds}::uuid[])`)
    .orderBy('position')
    .execute()

/** The path from the first message to this one, by one index lookup per message. */
const listThreadIdsUnscoped = async (db: Db, chatId: string, id: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with recursive thread as (
      select id, parent_id, 1 as depth from chat_messages where chat_id = ${chatId} and id = ${id}
      union all
      select m.id, m.parent_id, depth + 1 from chat_messages m, thread
      where m.chat_id = ${chatId} and m.id = thread.parent_id and depth < ${sql.lit(mostMessages)}
    )
    select id from thread`.execute(db)
  return rows.map((row) => row.id)
}

export const listThreadUnscoped = async (db: Db, chatId: string, id: string): Promise<MessageRow[]> =>
  listMessagesAmongUnscoped(db, chatId, await listThreadIdsUnscoped(db, chatId, id))

export const readStoredUnscoped = async (
  db: Db,
  chatId: string,
  ids: readonly string[],
): Promise<Map<string, StoredMessage>> => {
  const rows = ids.length === 0 ? [] : await listMessagesAmongUnscoped(db, chatId, ids)
  return new Map(rows.map(({ taskId, ...row }) => [row.id, { ...row, isRunning: taskId !== null }]))
}

/** One parameter for them all, since ten thousand messages have more fields than a statement takes. */
export const saveMessages = async (
  db: Db,
  chat: { id: string; userId: string },
  messages: readonly MessageChange[],
): Promise<void> => {
  if (messages.length === 0) return
  await sql`
    insert into chat_messages (chat_id, user_id, id, parent_id, role, content, done, timestamp_sec, body, size)
    select ${chat.id}::uuid, ${chat.userId}::uuid, "id", "parentId", "role", "content", "done", "timestampSec", "body", "size"
    from rows from (jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as (
      "id" uuid, "parentId" uuid, "role" text, "content" text, "done" boolean, "timestampSec" bigint, "body" jsonb,
      "size" integer
    )) with ordinality as sent ("id", "parentId", "role", "content", "done", "timestampSec", "body", "size", place)
    order by place
    on conflict (chat_id, id) do update set
      parent_id = excluded.parent_id, role = excluded.role, content = excluded.content, done = excluded.done,
      timestamp_sec = excluded.timestamp_sec, body = excluded.body, size = excluded.size`.execute(db)
}
