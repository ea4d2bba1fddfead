/**
 * Sockets of one user on several nodes: each node subscribes to the users it serves, and events and questions are
 * published to the user's channel. The servers of one machine are nodes as well. While Redis is away each node serves its
 * own sockets; clients close the gap by sequence number.
 */
import type { Ids } from '#kernel/ids.ts'
import type { Log } from '#kernel/log.ts'
import type { Channels, ChannelUse } from '#kernel/process/machine.ts'
import { allUsers, createAbsentUsers } from './absent-users.ts'
import { createRemoteQuestions, type FullQuestion, type LocalSockets } from './remote-questions.ts'

export interface FanOut {
  /** False when no other node has sockets of this user, as far as is known. */
  mayListen(userId: string): boolean
  publish(userId: string, packet: string): void
  join(userId: string): void
  leave(userId: string): void
  /** Sends a question to the node that has the socket. */
  ask(question: FullQuestion): Promise<unknown>
  close(): void
}

export interface FanOutNeeds {
  /** Over Redis, or over the supervisor of this machine. */
  open(use: ChannelUse): Channels | Promise<Channels>
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

export const createFanOut = async ({ open, ids, log, local }: FanOutNeeds): Promise<FanOut> => {
  const nodeId = ids.next()
  const absentUsers = createAbsentUsers()
  /** Users whose channel this node subscribes to: its own subscription must not count as another node's. */
  const own = new Set<string>()

  const send = (channel: string, text: string): Promise<number> => channels.send(channel, `${nodeId} ${text}`)
  const sendToUser = async (userId: string, text: string): Promise<number> => {
    const markAbsent = absentUsers.begin(userId)
    const receivers = (await send(userChannel(userId), text)) - (own.has(userId) ? 1 : 0)
    if (receivers <= 0) markAbsent()
    return receivers
  }
  const subscribe = async (userIds: readonly string[], others: readonly string[] = []): Promise<void> => {
    const isDone = await channels.subscribe([...others, ...userIds.map(userChannel)])
    if (isDone) for (const userId of userIds) if (local.serves(userId)) own.add(userId)
  }
  /** After a (re)connect other nodes' state is unknown, and they do not know ours. */
  const announceNode = async (): Promise<void> => {
    own.clear()
    absentUsers.forget(allUsers)
    await subscribe(local.users(), [joined, nodeChannel(nodeId)])
    await send(joined, allUsers)
  }
  /** `<node> <word> <rest>`. A node ignores its own messages, and words of newer versions. */
  const read = (channel: string, message: string): void => {
    const [from, text] = cut(message)
    if (from === nodeId) return
    if (channel === joined) absentUsers.forget(text)
    else if (channel === nodeChannel(nodeId)) questions.receiveReply(text)
    else {
      const [word, rest] = cut(text)
      if (word === 'event') local.deliver(channel.slice(userChannel('').length), rest)
      else if (word === 'cancel') questions.cancel(from, rest)
      else if (word === 'question') questions.receive(from, rest)
    }
  }
  /** An error that left the listener would end the process. */
  const receive = (channel: string, message: string): void => {
    try {
      read(channel, message)
    } catch (problem) {
      log.warn({ err: problem, channel }, "A message from another node couldn't be read and is ignored.")
    }
  }
  const questions = createRemoteQuestions({
    ids,
    local,
    sendToUser,
    sendToNode: (to, text) => send(nodeChannel(to), text),
  })
  const channels = await open({ onMessage: receive, onReady: announceNode })

  return {
    mayListen: (userId) => channels.isReady() && !absentUsers.has(userId),
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
