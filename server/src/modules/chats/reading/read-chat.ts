/** Reads a chat, a message or a thread, always through the owner: somebody else's is not found. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatHead, MessageRef } from '../interface.ts'
import { type ChatRow, findChat } from '../queries/chats.ts'
import { findMessageUnscoped, listChildLinksUnscoped, listThreadUnscoped } from '../queries/messages.ts'
import { findSpelling } from '../tree/message-ids.ts'
import { childrenOf, presentMessage, threadTo } from './thread.ts'

/** A platform admin owns no chats: their id is in another table. */
export const getChat = async (db: Db, actor: Pick<Actor, 'id'>, chatId: string): Promise<ChatRow> => {
  const chat = await findChat(db, actor, chatId)
  if (!chat) throw new AppError('chat_not_found')
  return chat
}

export const headOf = ({ id, userId, title, messageCount }: ChatRow): ChatHead => ({ id, userId, title, messageCount })

export const getMessage = async (db: Db, actor: Actor, { chatId, messageId }: MessageRef): Promise<Message> => {
  await getChat(db, actor, chatId)
  const message = await findMessageUnscoped(db, chatId, messageId)
  if (!message) throw new AppError('message_not_found')
  const children = await listChildLinksUnscoped(db, chatId, [messageId])
  return presentMessage(
    message,
    children.map(({ id }) => id),
  )
}

export const getThread = async (db: Db, actor: Actor, { chatId, messageId }: MessageRef): Promise<Message[]> => {
  await getChat(db, actor, chatId)
  const rows = await listThreadUnscoped(db, chatId, messageId)
  if (rows.length === 0) throw new AppError('message_not_found')
  const children = childrenOf(
    await listChildLinksUnscoped(
      db,
      chatId,
      rows.map(({ id }) => id),
    ),
  )
  // A parent may have been stored after its child, so the links give the order, not the rows.
  const thread = threadTo(
    new Map(rows.map((row) => [row.id, row])),
    findSpelling(
      rows.map(({ id }) => id),
      messageId,
    ) ?? null,
  )
  return thread.map((row) => presentMessage(row, children.get(row.id) ?? []))
}
