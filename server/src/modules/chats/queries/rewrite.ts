/** SQL that changes one message in ref, for running replies and events. The chat's row is always locked first. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { MessageRef } from '../interface.ts'
import { withAdded } from './event-lists.ts'
import { byteSizeOf } from './messages.ts'

/** New values for columns of the message; an expression may use the columns `content` and `body`. */
export interface Rewrite {
  content?: RawBuilder<unknown>
  body?: RawBuilder<unknown>
  /** Applies only while this reply holds the message, and ends the reply. */
  endsTask?: string
}

export const grownBy = (text: string): RawBuilder<unknown> => sql`content || ${text}::text`
export const replacedBy = (text: string): RawBuilder<unknown> => sql`${text}::text`
export const withFields = (fields: unknown): RawBuilder<unknown> => sql`body || ${JSON.stringify(fields)}::jsonb`
/** The fields of a running reply so far. Sources that events added meanwhile stay, after the reply's own. */
export const withReply = ({ sources, ...fields }: Record<string, unknown>): RawBuilder<unknown> =>
  sources === undefined
    ? withFields(fields)
    : sql`${withFields(fields)} || jsonb_build_object('sources', ${withAdded('sources', JSON.stringify(sources))})`

/**
 * One update, so that nothing is read, changed here and written back. The caller holds the chat's lock. Returns by how
 * many bytes the message has grown since it was last counted; undefined when the message does not exist.
 */
export const rewriteMessageUnscoped = async (
  tx: Db,
  { chatId, messageId }: MessageRef,
  { content = sql`content`, body = sql`body`, endsTask }: Rewrite,
): Promise<number | undefined> => {
  const ending = endsTask === undefined ? sql`` : sql`done = true, task_id = null, previous = null,`
  const isMine = endsTask === undefined ? sql`true` : sql`m.task_id = ${endsTask}`
  const { rows } = await sql<{ grown: number }>`
    update chat_messages m
    set content = next.content, body = next.body, ${ending}
      size = ${byteSizeOf(sql`next.content`, sql`next.body`)}
    from (
      select size, ${content} as content, ${body} as body from chat_messages
      where chat_id = ${chatId} and id = ${messageId}
    ) next
    where m.chat_id = ${chatId} and m.id = ${messageId} and ${isMine}
    returning m.size - next.size as grown`.execute(tx)
  return rows[0]?.grown
}

/** Fields that an earlier attempt may have left. */
const leftovers = [
  'error',
  'usage',
  'sources',
  'statusHistory',
  'code_executions',
  'embeds',
  'files',
  'followUps',
  'output',
  'reasoning_content',
  'reasoning',
  'tool_calls',
  'originalContent',
  'stopped',
]

/** Claims the message and changes nothing else. Returns false if another reply has it. */
export const takeMessageUnscoped = async (
  tx: Db,
  { chatId, messageId }: MessageRef,
  taskId: string,
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update chat_messages set task_id = ${taskId}
    where chat_id = ${chatId} and id = ${messageId} and task_id is null`.execute(tx)
  return numAffectedRows === 1n
}

/** Empties the message for a reply that has started. A finished reply is kept in `previous` until this one ends. */
export const emptyMessageUnscoped = async (
  tx: Db,
  { chatId, messageId }: MessageRef,
  { taskId, fields }: { taskId: string; fields: Record<string, unknown> },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update chat_messages
    set previous = case when done and content <> '' then jsonb_build_object('content', content, 'body', body) end,
      done = false, content = '', body = (body - ${leftovers}::text[]) || ${JSON.stringify(fields)}::jsonb
    where chat_id = ${chatId} and id = ${messageId} and task_id = ${taskId}`.execute(tx)
  return numAffectedRows === 1n
}

/** Puts the finished reply back that a failed one was about to replace. Returns false if nothing was replaced. */
export const restorePreviousUnscoped = async (
  tx: Db,
  { chatId, messageId }: MessageRef,
  taskId: string,
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update chat_messages set content = previous->>'content', body = previous->'body'
    where chat_id = ${chatId} and id = ${messageId} and task_id = ${taskId} and previous is not null`.execute(tx)
  return numAffectedRows === 1n
}

/** One statement, since every running reply is saved about once a second. Its size is counted when it ends. */
export const saveRunningUnscoped = async (
  db: Db,
  { chatId, messageId }: MessageRef,
  { taskId, content, fields }: { taskId: string; content: string | undefined; fields: Record<string, unknown> },
): Promise<void> => {
  await sql`
    with chat as (update chats set version = version + 1 where id = ${chatId} returning id)
    update chat_messages m
    set content = coalesce(${content ?? null}, m.content), body = ${withReply(fields)}
    from chat where m.chat_id = chat.id and m.id = ${messageId} and m.task_id = ${taskId}`.execute(db)
}
