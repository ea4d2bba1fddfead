/**
 * Writing a reply into its message. Between begin and end the message belongs to that reply: merges don't change its
 * content, and a second reply is refused. Nothing else is written until the reply starts; one that fails after that
 * puts back what was there. A crash in between leaves `task_id` set; the sweep of lost tasks ends such replies.
 */
import { AppError } from '#kernel/errors.ts'
import type { ChatsContext } from '../context.ts'
import type { Chats, ReplyPatch } from '../interface.ts'
import { lockChatUnscoped, updateChatUnscoped } from '../queries/chats.ts'
import { findMessageUnscoped } from '../queries/messages.ts'
import {
  emptyMessageUnscoped,
  replacedBy,
  restorePreviousUnscoped,
  rewriteMessageUnscoped,
  saveRunningUnscoped,
  takeMessageUnscoped,
  withReply,
} from '../queries/rewrite.ts'
import { storableJson, storableText } from '../tree/storable.ts'

type Replies = Pick<Chats, 'beginReply' | 'startReply' | 'saveReply' | 'endReply'>

const changeOf = ({ content, error, usage, sources, fields = {} }: ReplyPatch) => ({
  content: content === undefined ? undefined : storableText(content),
  fields: storableJson({
    ...fields,
    ...(error && { error }),
    ...(usage && { usage }),
    ...(sources && { sources }),
  }) as Record<string, unknown>,
})

export const createReplies = ({ db, clock }: Pick<ChatsContext, 'db' | 'clock'>): Replies => ({
  beginReply: async (tx, ref, taskId) => {
    if (!(await lockChatUnscoped(tx, ref.chatId))) throw new AppError('chat_not_found')
    const message = await findMessageUnscoped(tx, ref.chatId, ref.messageId)
    if (!message) throw new AppError('message_not_found')
    if (message.role !== 'assistant')
      throw new AppError('history_invalid', { detail: 'A reply is written into a message of the assistant.' })
    return takeMessageUnscoped(tx, ref, taskId)
  },

  startReply: (ref, { taskId, ...fields }) =>
    db.transaction().execute(async (tx) => {
      if (!(await lockChatUnscoped(tx, ref.chatId))) return false
      if (!(await emptyMessageUnscoped(tx, ref, { taskId, fields }))) return false
      await updateChatUnscoped(tx, ref.chatId, { updatedAt: clock.now() })
      return true
    }),

  saveReply: (ref, taskId, patch) => saveRunningUnscoped(db, ref, { taskId, ...changeOf(patch) }),

  endReply: async (tx, ref, taskId, patch) => {
    if (!(await lockChatUnscoped(tx, ref.chatId))) return false
    const isRestored = patch.error !== undefined && (await restorePreviousUnscoped(tx, ref, taskId))
    const { content, fields } = changeOf(isRestored ? { ...(patch.error && { error: patch.error }) } : patch)
    const grownBytes = await rewriteMessageUnscoped(tx, ref, {
      ...(content === undefined ? {} : { content: replacedBy(content) }),
      body: withReply(fields),
      endsTask: taskId,
    })
    if (grownBytes === undefined) return false
    await updateChatUnscoped(tx, ref.chatId, { grownBytes, updatedAt: clock.now() })
    return true
  },
})
