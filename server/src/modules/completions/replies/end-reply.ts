/**
 * Ends every reply: finished, stopped, failed or interrupted. The message is marked done in the database exactly once,
 * and only then are readers told.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { CompletionsContext } from '../context.ts'
import { deleteTaskUnscoped } from '../queries.ts'
import type { BegunReply } from './begin-reply.ts'
import type { LiveReply } from './live-reply.ts'
import { errorOf, type ReplyEnd, replyPatch } from './reply-patch.ts'

/** Retries while the database is unavailable. After that the row's heartbeat expires, and the sweep ends the message. */
const pausesMs = [200, 1000, 3000, 6000]

export const endReply = async (
  context: CompletionsContext,
  { reply, saver }: BegunReply,
  end: ReplyEnd,
): Promise<void> => {
  const { log, realtime, replies } = context
  reply.flush()
  await saver.close()
  const isStored = reply.cancelReason !== 'lost' && (await storeEnd(context, reply, end))
  replies.remove(reply)
  reply.finish({ error: end.failure && errorOf(end.failure) })
  if (!isStored || !end.failure) return
  // The tabs have shown parts of this reply; the message may hold an earlier one again.
  await context.chats
    .patchMessage(reply.ref, {})
    .catch((problem: unknown) => log.warn({ err: problem }, 'Not announced.'))
  const { chatId, messageId } = reply.ref
  const data = { type: 'chat:message:error', data: { error: errorOf(end.failure) } }
  realtime.emit(reply.userId, { chat_id: chatId, message_id: messageId, data })
}

const storeEnd = async (context: CompletionsContext, reply: LiveReply, end: ReplyEnd): Promise<boolean> => {
  const { chats, db, log } = context
  const { ref, taskId } = reply
  for (const pauseMs of [...pausesMs, undefined])
    try {
      return await db.transaction().execute(async (tx) => {
        const isOurs = await chats.endReply(tx, ref, taskId, replyPatch(reply, end))
        await deleteTaskUnscoped(tx, taskId)
        return isOurs
      })
    } catch (problem) {
      log.error({ err: problem, task: taskId }, 'The end of a reply could not be stored.')
      if (pauseMs !== undefined) await delay(pauseMs)
    }
  return false
}
