/**
 * Claims an assistant message for a new reply, which is a task of its own from here on. The message keeps what it says
 * until the model has accepted the request.
 */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { MessageRef } from '#modules/chats/index.ts'
import type { CompletionsContext } from '../context.ts'
import { insertTaskUnscoped } from '../queries.ts'
import { createLiveReply, type LiveReply } from './live-reply.ts'
import { replyPatch } from './reply-patch.ts'
import { createSaver, type Saver } from './saver.ts'

export interface BegunReply {
  reply: LiveReply
  saver: Saver
}

/** Throws `reply_running` if another reply is being written into the message. */
export const beginReply = async (context: CompletionsContext, actor: Actor, ref: MessageRef): Promise<BegunReply> => {
  const { chats, clock, db, failpoints, ids, log, nodeId, realtime, replies, saveEveryMs } = context
  const taskId = ids.next()
  await db.transaction().execute(async (tx) => {
    const task = { id: taskId, ...ref, userId: actor.id, nodeId, at: clock.now() }
    const isFree = (await insertTaskUnscoped(tx, task)) && (await chats.beginReply(tx, ref, taskId))
    if (!isFree) throw new AppError('reply_running')
  })
  await failpoints.hit('reply: claimed')

  const reply = createLiveReply({
    taskId,
    ref,
    userId: actor.id,
    announce: (frame) => {
      if (!realtime.isListening(actor.id)) return
      const { chatId, messageId } = ref
      realtime.emit(actor.id, {
        chat_id: chatId,
        message_id: messageId,
        data: { type: 'chat:completion', data: frame },
      })
    },
    onChange: () => saver.markChanged(),
  })
  const saver = createSaver({
    everyMs: saveEveryMs,
    length: () => reply.log.content.length,
    save: async () => {
      try {
        await chats.saveReply(ref, taskId, replyPatch(reply))
      } catch (problem) {
        log.warn({ err: problem, task: taskId }, 'A running reply could not be saved. It will be tried again.')
      }
    },
  })
  replies.add(reply)
  return { reply, saver }
}
