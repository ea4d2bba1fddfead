/**
 * Deletes one message. Its children move to its parent, so that the rest of the conversation stays, and a chat that
 * showed the deleted message shows the nearest one that is left.
 */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatsContext } from '../context.ts'
import type { MessageRef } from '../interface.ts'
import { type ChatRow, lockChat, updateChatUnscoped } from '../queries/chats.ts'
import {
  deleteMessageUnscoped,
  findMessageUnscoped,
  findNewestMessageIdUnscoped,
  listChildLinksUnscoped,
  type MessageRow,
} from '../queries/messages.ts'
import { announceChange } from './announce.ts'

export const deleteMessage = async (context: ChatsContext, actor: Actor, ref: MessageRef): Promise<void> => {
  await context.requireWritable(context.db, actor)
  const { chat, touchedIds } = await context.db.transaction().execute(async (tx) => {
    const stored = await lockChat(tx, actor, ref.chatId)
    if (!stored) throw new AppError('chat_not_found')
    const message = await findMessageUnscoped(tx, ref.chatId, ref.messageId)
    if (!message) throw new AppError('message_not_found')
    if (message.taskId !== null) throw new AppError('reply_running')
    return remove(context, tx, { stored, message })
  })
  // Named without their content: open tabs read the chat again.
  announceChange(context, chat, { removedIds: touchedIds })
}

const remove = async (
  { clock }: Pick<ChatsContext, 'clock'>,
  tx: Db,
  { stored, message }: { stored: ChatRow; message: MessageRow },
): Promise<{ chat: ChatRow; touchedIds: string[] }> => {
  const children = await listChildLinksUnscoped(tx, stored.id, [message.id])
  await deleteMessageUnscoped(tx, stored.id, message)
  const nearestId =
    message.parentId ?? children.at(-1)?.id ?? (await findNewestMessageIdUnscoped(tx, stored.id)) ?? null
  const chat = await updateChatUnscoped(tx, stored.id, {
    currentId: stored.currentId === message.id ? nearestId : stored.currentId,
    updatedAt: clock.now(),
    added: -1,
    grownBytes: -message.size,
  })
  return { chat, touchedIds: [message.id, ...children.map(({ id }) => id)] }
}
