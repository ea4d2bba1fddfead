/**
 * Ends every reply: finished, stopped, failed or interrupted. The message is marked done in the database exactly once,
 * and only then are readers told.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseTimeout, isDatabaseUnavailable } from '#kernel/db/failures.ts'
import type { CompletionsContext } from '../context.ts'
import { deleteTaskUnscoped } from '../queries.ts'
import type { BegunReply } from './begin-reply.ts'
import type { LiveReply } from './live-reply.ts'
import { errorOf, type ReplyEnd, replyPatch } from './reply-patch.ts'

/** The last one repeats for as long as the database is away; another failure is tried as often as there are pauses. */
const pausesMs = [200, 400, 800, 1600, 3000]

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
  const { chats, db, log, unstored } = context
  const { ref, taskId } = reply
  const kept = unstored.keep(reply.log.content.length + reply.log.reasoning.length)
  try {
    for (let round = 0; ; round += 1)
      try {
        return await db.transaction().execute(async (tx) => {
          const isOurs = await chats.endReply(tx, ref, taskId, replyPatch(reply, end))
          await deleteTaskUnscoped(tx, taskId)
          return isOurs
        })
      } catch (problem) {
        if (round === 0) log.error({ err: problem, task: taskId }, 'The end of a reply could not be stored yet.')
        const isAway = isDatabaseUnavailable(problem) || isDatabaseTimeout(problem)
        const canWait = isAway || round < pausesMs.length
        if (!canWait || !(await canTryAgain(reply, round, kept.signal))) {
          log.error({ err: problem, task: taskId }, 'The end of a reply is not stored.')
          return false
        }
      }
  } finally {
    kept.release()
  }
}

const canTryAgain = async (reply: LiveReply, round: number, signal: AbortSignal): Promise<boolean> => {
  await delay(pausesMs[round] ?? pausesMs.at(-1), undefined, { signal, ref: false }).catch(() => undefined)
  return !signal.aborted && reply.cancelReason !== 'lost'
}
