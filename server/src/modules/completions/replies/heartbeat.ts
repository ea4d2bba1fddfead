/**
 * Renews the leases of this node's replies and ends those of dead nodes, so that a message never stays pending longer
 * than the lease (guarantee P4).
 */
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '#kernel/errors.ts'
import type { CompletionsContext } from '../context.ts'
import { deleteTaskUnscoped, lockStaleTasksUnscoped, type ReplyTask, renewHeartbeatsUnscoped } from '../queries.ts'
import { errorOf } from './reply-patch.ts'

export const leaseMs = 30_000
export const heartbeatEveryMs = 5000

export const renewHeartbeats = async ({ db, replies }: CompletionsContext): Promise<void> => {
  const alive = replies.all()
  if (alive.length === 0) return
  const ids = alive.map(({ taskId }) => taskId)
  const held = await renewHeartbeatsUnscoped(db, ids)
  // A reply that ended meanwhile is not lost.
  for (const reply of alive) if (!held.has(reply.taskId) && replies.find(reply.taskId)) reply.cancel('lost')
}

/**
 * After a failure of the database that was longer than the lease, the replies of every node look abandoned, but are still
 * being written. Each node renews its own first, and has time to.
 */
export const endStaleReplies = async (context: CompletionsContext): Promise<void> => {
  const { leaving } = context
  await renewHeartbeats(context)
  await delay(heartbeatEveryMs, undefined, { signal: leaving, ref: false }).catch(() => undefined)
  if (!leaving.aborted) await sweepReplies(context)
}

/** Ends replies without a heartbeat for so long, with what was saved of them and an error. */
export const sweepReplies = async (context: CompletionsContext, silentMs = leaseMs): Promise<void> => {
  const { chats, db, realtime } = context
  const error = errorOf(new AppError('reply_interrupted'))
  for (;;) {
    const ended: ReplyTask[] = await db.transaction().execute(async (tx) => {
      const stale = await lockStaleTasksUnscoped(tx, silentMs)
      for (const { id, chatId, messageId } of stale) {
        await chats.endReply(tx, { chatId, messageId }, id, { error })
        await deleteTaskUnscoped(tx, id)
      }
      return stale
    })
    for (const { chatId, messageId, userId } of ended)
      realtime.emit(userId, {
        chat_id: chatId,
        message_id: messageId,
        data: { type: 'chat:message:error', data: { error } },
      })
    if (ended.length === 0) return
  }
}
