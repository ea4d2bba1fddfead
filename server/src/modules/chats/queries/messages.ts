/** All SQL for reading and merging `chat_messages`. Writers hold the lock of the chat's row. */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import type { ChatMessagesTable } from '../tables.ts'
import { maxMessages } from '../tree/history.ts'
import type { MessageChange, StoredMessage } from '../tree/merge-message.ts'

export type MessageRow = Omit<
  Selectable<ChatMessagesTable>,
  'search' | 'chatId' | 'userId' | 'spelling' | 'parentSpelling'
>

/** Ids are looked up as UUIDs and read as their caller writes them. */
const id = sql<string>`coalesce(spelling, id::text)`.as('id')
const parentId = sql<string | null>`coalesce(parent_spelling, parent_id::text)`.as('parentId')
const link = [id, parentId] as const
/** Null where PostgreSQL writes the id the same way. */
const spellingOf = (sent: RawBuilder<unknown>) => sql<string | null>`nullif(${sent}, lower(${sent}))`

const columns = [...link, 'role', 'content', 'done', 'taskId', 'timestampSec', 'body', 'size', 'position'] as const

/** For reading a whole chat: the body stays JSON text. */
export type MessageTextRow = Omit<MessageRow, 'body' | 'taskId' | 'size' | 'position'> & { bodyText: string }

const messagesOf = (db: Db, chatId: string) =>
  db.selectFrom('chatMessages').select(columns).where('chatId', '=', chatId)

/** As for every query of this file, the chat must have been found through its owner. */
export const listMessagesUnscoped = (db: Db, chatId: string): Promise<MessageRow[]> =>
  messagesOf(db, chatId).orderBy('position').execute()

const textsOf = (db: Db, chatId: string) =>
  db
    .selectFrom('chatMessages')
    .select([...link, 'role', 'content', 'done', 'timestampSec'])
    .select(sql<string>`body::text`.as('bodyText'))
    .where('chatId', '=', chatId)
    .orderBy('position')

export const listMessageTextsUnscoped = (db: Db, chatId: string): Promise<MessageTextRow[]> =>
  textsOf(db, chatId).execute()

export const listThreadTextsUnscoped = async (db: Db, chatId: string, endId: string): Promise<MessageTextRow[]> =>
  textsOf(db, chatId)
    .where(isAmong('id', await listThreadIdsUnscoped(db, chatId, { endId })))
    .execute()

/** The last of a thread, and whatever has the same parent as one of them. */
export const listWindowTextsUnscoped = async (
  db: Db,
  chatId: string,
  window: { endId: string; last: number },
): Promise<MessageTextRow[]> => {
  const ids = await listThreadIdsUnscoped(db, chatId, window)
  const parents = await db
    .selectFrom('chatMessages')
    .select('parentId')
    .where('chatId', '=', chatId)
    .where(isAmong('id', ids))
    .execute()
  const parentIds = parents.flatMap((row) => row.parentId ?? [])
  return textsOf(db, chatId)
    .where((where) =>
      where.or([
        isAmong('id', ids),
        isAmong('parentId', parentIds),
        ...(parentIds.length < parents.length ? [where('parentId', 'is', null)] : []),
      ]),
    )
    .execute()
}

export const listTextsAmongUnscoped = (db: Db, chatId: string, ids: readonly string[]): Promise<MessageTextRow[]> =>
  textsOf(db, chatId).where(isAmong('id', ids)).execute()

export const listMessagesAmongUnscoped = (db: Db, chatId: string, ids: readonly string[]): Promise<MessageRow[]> =>
  messagesOf(db, chatId).where(isAmong('id', ids)).orderBy('position').execute()

export const findMessageUnscoped = (db: Db, chatId: string, messageId: string): Promise<MessageRow | undefined> =>
  messagesOf(db, chatId).where('id', '=', messageId).executeTakeFirst()

/** The id as the message writes it, whichever way it is asked for. */
export const findMessageIdUnscoped = async (db: Db, chatId: string, messageId: string): Promise<string | undefined> => {
  const found = db.selectFrom('chatMessages').select(id).where('chatId', '=', chatId).where('id', '=', messageId)
  return (await found.executeTakeFirst())?.id
}

/** The parent links of the whole chat. */
export const listLinksUnscoped = (db: Db, chatId: string) =>
  db.selectFrom('chatMessages').select(link).where('chatId', '=', chatId).orderBy('position').execute()

/** The children of these messages. */
export const listChildLinksUnscoped = (db: Db, chatId: string, parentIds: readonly string[]) =>
  db
    .selectFrom('chatMessages')
    .select(link)
    .where('chatId', '=', chatId)
    .where(isAmong('parentId', parentIds))
    .orderBy('position')
    .execute()

/** The path from the first message to this one, by one index lookup per message. */
const listThreadIdsUnscoped = async (
  db: Db,
  chatId: string,
  { endId, last = maxMessages }: { endId: string; last?: number },
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with recursive thread as (
      select id, parent_id, 1 as depth from chat_messages where chat_id = ${chatId} and id = ${endId}
      union all
      select m.id, m.parent_id, depth + 1 from chat_messages m, thread
      where m.chat_id = ${chatId} and m.id = thread.parent_id and depth < ${last}::int
    )
    select id from thread`.execute(db)
  return rows.map((row) => row.id)
}

export const listThreadUnscoped = async (db: Db, chatId: string, endId: string): Promise<MessageRow[]> =>
  listMessagesAmongUnscoped(db, chatId, await listThreadIdsUnscoped(db, chatId, { endId }))

export const readStoredUnscoped = async (
  db: Db,
  chatId: string,
  ids: readonly string[],
): Promise<Map<string, StoredMessage>> => {
  const rows = ids.length === 0 ? [] : await listMessagesAmongUnscoped(db, chatId, ids)
  return new Map(rows.map(({ taskId, ...row }) => [row.id, { ...row, isRunning: taskId !== null }]))
}

/** The bytes that a message counts in its chat's `byte_size`: its text and the JSON of its other fields. */
export const byteSizeOf = (content: RawBuilder<unknown>, body: RawBuilder<unknown>) =>
  sql`octet_length(${content}) + octet_length(${body}::text)`

/**
 * Returns by how many bytes the chat has grown. All messages go in one parameter: ten thousand of them have more fields
 * than a statement takes parameters.
 */
export const saveMessagesUnscoped = async (
  db: Db,
  chat: { id: string; userId: string },
  messages: readonly MessageChange[],
): Promise<number> => {
  if (messages.length === 0) return 0
  const { rows } = await sql<{ grown: number }>`
    with sent as (
      select * from rows from (jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as (
        "id" text, "parentId" text, "role" text, "content" text, "done" boolean, "timestampSec" bigint, "body" jsonb
      )) with ordinality as sent ("id", "parentId", "role", "content", "done", "timestampSec", "body", ordinal)
    ), saved as (
      insert into chat_messages
        (chat_id, user_id, id, spelling, parent_id, parent_spelling, role, content, done, timestamp_sec, body, size)
      select ${chat.id}::uuid, ${chat.userId}::uuid, "id"::uuid, ${spellingOf(sql`"id"`)}, "parentId"::uuid,
        ${spellingOf(sql`"parentId"`)}, "role", "content", "done", "timestampSec", "body", ${byteSizeOf(sql`"content"`, sql`"body"`)}
      from sent order by ordinal
      on conflict (chat_id, id) do update set
        parent_id = excluded.parent_id, parent_spelling = excluded.parent_spelling, role = excluded.role, content = excluded.content, done = excluded.done,
        timestamp_sec = excluded.timestamp_sec, body = excluded.body, size = excluded.size
      returning size
    )
    select coalesce((select sum(size) from saved), 0)::bigint - coalesce((
      select sum(size) from chat_messages where chat_id = ${chat.id} and id in (select "id"::uuid from sent)
    ), 0)::bigint as grown`.execute(db)
  return rows[0]?.grown ?? 0
}

/** Its children move to its parent. */
export const deleteMessageUnscoped = async (
  db: Db,
  chatId: string,
  message: Pick<MessageRow, 'id' | 'parentId'>,
): Promise<void> => {
  await db
    .updateTable('chatMessages')
    .set({ parentId: message.parentId, parentSpelling: spellingOf(sql`${message.parentId}::text`) })
    .where('chatId', '=', chatId)
    .where('parentId', '=', message.id)
    .execute()
  await db.deleteFrom('chatMessages').where('chatId', '=', chatId).where('id', '=', message.id).execute()
}

export const findNewestMessageIdUnscoped = async (db: Db, chatId: string): Promise<string | undefined> => {
  const newest = db.selectFrom('chatMessages').select(id).where('chatId', '=', chatId).orderBy('position', 'desc')
  return (await newest.limit(1).executeTakeFirst())?.id
}
