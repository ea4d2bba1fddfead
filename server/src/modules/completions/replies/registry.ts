/** The replies that run in this process. */
import { endsWithin } from '#kernel/ends-within.ts'
import type { MessageRef } from '#modules/chats/index.ts'
import type { LiveReply } from './live-reply.ts'

export interface ReplyRegistry {
  add(reply: LiveReply): void
  remove(reply: LiveReply): void
  find(taskId: string): LiveReply | undefined
  findAt(ref: MessageRef): LiveReply | undefined
  inChat(chatId: string): LiveReply[]
  all(): LiveReply[]
  /** Waits this long for replies to end by themselves, then interrupts the rest and waits for their end. */
  drain(patienceMs: number): Promise<void>
}

const keyOf = ({ chatId, messageId }: MessageRef): string => `${chatId}/${messageId}`

/** The time that interrupted replies have to store their end. */
const storeEndMs = 5000

export const createReplyRegistry = (): ReplyRegistry => {
  const byTask = new Map<string, LiveReply>()
  const byMessage = new Map<string, LiveReply>()
  const all = () => [...byTask.values()]
  const allEnded = () => Promise.all(all().map(({ ended }) => ended))
  return {
    all,
    add: (reply) => {
      byTask.set(reply.taskId, reply)
      byMessage.set(keyOf(reply.ref), reply)
    },
    remove: (reply) => {
      byTask.delete(reply.taskId)
      if (byMessage.get(keyOf(reply.ref)) === reply) byMessage.delete(keyOf(reply.ref))
    },
    find: (taskId) => byTask.get(taskId),
    findAt: (ref) => byMessage.get(keyOf(ref)),
    inChat: (chatId) => all().filter(({ ref }) => ref.chatId === chatId),
    drain: async (patienceMs) => {
      if (await endsWithin(allEnded(), patienceMs)) return
      for (const reply of all()) reply.cancel('shutdown')
      await endsWithin(allEnded(), storeEndMs)
    },
  }
}
