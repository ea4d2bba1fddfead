/**
 * Sockets of one user on several nodes: each node subscribes to the users it serves, and events and questions are
 * published to the user's channel. While Redis is away each node serves its own sockets; clients close the gap by
 * sequence number.
 */
import type { Ids } from '#kernel/ids.ts'
import type { Log } from '#kernel/log.ts'
import { createAbsences, everybody } from './absences.ts'
import { openChannels } from './redis-channels.ts'
import { createRemoteQuestions, type FullQuestion, type LocalSockets } from './remote-questions.ts'

export interface FanOut {
  /** False where other nodes are known to serve nobody of this user. */
  mayListen(userId: string): boolean
  publish(userId: string, packet: string): void
  join(userId: string): void
  leave(userId: string): void
  /** Asks the node that serves the socket. */
  ask(question: FullQuestion): Promise<unknown>
  close(): void
}

interface Options {
  url: string
  ids: Ids
  log: Log
  local: LocalSockets
}

const joined = 'chancery:sockets:joined'
const userChannel = (userId: string): string => `chancery:sockets:user:${userId}`
const nodeChannel = (nodeId: string): string => `chancery:sockets:node:${nodeId}`

const cut = (text: string): [string, string] => {
  const at = text.indexOf(' ')
  return [text.slice(0, at), text.slice(at + 1)]
}

export const createFanOut = async ({ url, ids, log, local }: Options): Promise<FanOut> => {
  const nodeId = ids.next()
  const absences = createAbsences()
  /** Users whose channel this node hears itself: it must not take its own ear for another's. */
  const own = new Set<string>()

  const send = (channel: string, text: string): Promise<number> => channels.send(channel, `${nodeId} ${text}`)
  const sendToUser = async (userId: string, text: string): Promise<number> => {
    const note = absences.begin(userId)
    const heard = (await send(userChannel(userId), text)) - (own.has(userId) ? 1 : 0)
    if (heard <= 0) note()
    return heard
  }
  const subscribe = async (userIds: readonly string[], others: readonly string[] = []): Promise<void> => {
    const isDone = await channels.subscribe([...others, ...userIds.map(userChannel)])
    if (isDone) for (const userId of userIds) if (local.serves(userId)) own.add(userId)
  }
  /** What other nodes did meanwhile is not known, nor do they know of us. */
  const arrive = async (): Promise<void> => {
    own.clear()
    absences.forget(everybody)
    await subscribe(local.users(), [joined, nodeChannel(nodeId)])
    await send(joined, everybody)
  }
  /** `<node> <word> <rest>`; what a node said itself it has done already. */
  const hear = (channel: string, message: string): void => {
    const [from, text] = cut(message)
    if (from === nodeId) return
    if (channel === joined) absences.forget(text)
    else if (channel === nodeChannel(nodeId)) questions.hearReply(text)
    else {
      const [word, rest] = cut(text)
      if (word === 'event') local.deliver(channel.slice(userChannel('').length), rest)
      else questions.hear(from, rest)
    }
  }
  const questions = createRemoteQuestions({
    ...{ ids, local, sendToUser },
    sendToNode: (to, text) => send(nodeChannel(to), text),
  })
  const channels = await openChannels({ url, log, onMessage: hear, onReady: arrive })

  return {
    mayListen: (userId) => channels.isReady() && !absences.has(userId),
    publish: (userId, packet) => void sendToUser(userId, `event ${packet}`),
    join: (userId) => void subscribe([userId]).then(() => send(joined, userId)),
    leave: (userId) => {
      own.delete(userId)
      channels.unsubscribe(userChannel(userId))
    },
    ask: questions.ask,
    close: channels.close,
  }
}
