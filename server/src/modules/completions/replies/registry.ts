/** The replies that this process is making. */
import { endsWithin } from '#kernel/ends-within.ts'
import type { MessageRef } from '#modules/chats/index.ts'
import type { LiveReply } from './live-reply.ts'

export interface ReplyRegistry {
  add(reply: LiveReply): void
  remove(reply: LiveReply): void
  find(taskId: string): LiveReply | undefined
  findAt(place: MessageRef): LiveReply | undefined
  inChat(chatId: string): LiveReply[]
  all(): LiveReply[]
  /** Waits so long for replies to end by themselves, then interrupts the rest and waits for that. */
  drain(patienceMs: number): Promise<void>
}

const keyOf = ({ chatId, messageId }: MessageRef): string => `${chatId}/${messageId}`

/** The last words of an interrupted reply have to reach the database. */
const lastWordsMs = 5000

export const createReplyRegistry = (): ReplyRegistry => {
  const byTask = new Map<string, LiveReply>()
  const byPlace = new Map<string, LiveReply>()
  const all = () => [...byTask.values()]
  const allEnded = () => Promise.all(all().map(({ ended }) => ended))
  return {
    all,
    add: (reply) => {
      byTask.set(reply.taskId, reply)
      byPlace.set(keyOf(reply.place), reply)
    },
    remove: (reply) => {
      byTask.delete(reply.taskId)
      if (byPlace.get(keyOf(reply.place)) === reply) byPlace.delete(keyOf(reply.place))
    },
    find: (taskId) => byTask.get(taskId),
    findAt: (place) => byPlace.get(keyOf(place)),
    inChat: (chatId) => all().filter(({ place }) => place.chatId === chatId),
    drain: async (patienceMs) => {
      if (await endsWithin(allEnded(), patienceMs)) return
      for (const reply of all()) reply.halt('shutdown')
      await endsWithin(allEnded(), lastWordsMs)
    },
  }
}
