/** Stops replies on request. The message keeps what it has and is done. */
import { setTimeout as delay } from 'node:timers/promises'
import { endsWithin } from '#kernel/ends-within.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { CompletionsContext } from '../context.ts'
import { findTask, listTasks, type ReplyTask } from '../queries.ts'

export const stopTopic = 'completions.stop'

/** Throws `task_not_found` for a task that has ended, is unknown or belongs to another user. */
export const stopTask = async (context: CompletionsContext, actor: Actor, taskId: string): Promise<void> => {
  const task = await findTask(context.db, actor, taskId)
  if (!task) throw new AppError('task_not_found')
  await stop(context, actor, task)
}

/** Returns how many were running. */
export const stopChat = async (context: CompletionsContext, actor: Actor, chatId: string): Promise<number> => {
  await context.chats.requireChat(actor, chatId)
  const tasks = await listTasks(context.db, actor, chatId)
  await Promise.all(tasks.map((task) => stop(context, actor, task)))
  return tasks.length
}

/** Long enough for the end to be stored, so that the caller's next request sees it. */
const patienceMs = 2000
const pollEveryMs = 50

const stop = async (context: CompletionsContext, actor: Actor, { id }: ReplyTask): Promise<void> => {
  const { db, replies, signals } = context
  const reply = replies.find(id)
  if (reply) {
    reply.cancel('stop')
    await endsWithin(reply.ended, patienceMs)
    return
  }
  await signals.send(db, stopTopic, id)
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollEveryMs) {
    if (!(await findTask(db, actor, id))) return
    await delay(pollEveryMs)
  }
}
