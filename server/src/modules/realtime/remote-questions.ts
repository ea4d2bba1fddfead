/** Questions to a socket on another node. Every node that has sockets of the user replies whether it has this one. */
import type { ChatEvent } from '@chancery/contract/chats/events.ts'
import { AppError } from '#kernel/errors.ts'
import type { Ids } from '#kernel/ids.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import { gone } from './call-browser.ts'
import type { Question } from './interface.ts'

export type FullQuestion = Question & { timeoutMs: number }

/** The sockets of this node, as messages from other nodes reach them. */
export interface LocalSockets {
  users(): string[]
  serves(userId: string): boolean
  deliver(userId: string, packet: string): void
  isHere(userId: string, sessionId: string): boolean
  ask(question: FullQuestion): Promise<unknown>
}

export interface RemoteQuestions {
  ask(question: FullQuestion): Promise<unknown>
  /** A question from that node. */
  receive(from: string, text: string): void
  /** The node that asked doesn't wait for the answer any more, or checks whether the browser still has the question. */
  cancel(from: string, text: string): void
  receiveReply(text: string): void
}

interface Options {
  ids: Ids
  local: LocalSockets
  /** Resolves with how many other nodes received it. */
  sendToUser(userId: string, text: string): Promise<number>
  /** Resolves with how many nodes received it: one, or none while one of them has no connection to Redis. */
  sendToNode(nodeId: string, text: string): Promise<number>
  /** For tests. */
  checkEveryMs?: number
}

interface Asked {
  id: string
  userId: string
  sessionId: string
  event: ChatEvent
  timeoutMs: number
}

type Reply = { id: string } & (
  | { state: 'elsewhere' }
  | { state: 'open' }
  | { state: 'answer'; answer?: unknown }
  | { state: 'failed'; detail: string }
)

interface Waiting {
  /** Nodes that do not have the socket. */
  without: number
  /** The number of nodes that were asked, once it is known. */
  asked: number
  resolve(answer: unknown): void
  reject(problem: unknown): void
  /** Checks that the other node has left unanswered since it answered one; a node of an older version never does. */
  missed: number | undefined
}

/** The other node enforces the time limit; this only covers one that does not. */
const extraMs = 2000
/** A node that died took its sockets with it, and says nothing. A busy one may miss a check. */
const usualCheckMs = 5000
const maxMissed = 2
/** A node that still wants the answer has checked by then. */
const undeliveredMs = 30_000
/** A check is sent as the cancelling of an id that doesn't exist, because nodes of older versions ignore that. */
const checkMark = '?'

const failed = (detail?: string): AppError => new AppError('event_call_failed', detail === undefined ? {} : { detail })

export const createRemoteQuestions = ({
  ids,
  local,
  sendToUser,
  sendToNode,
  checkEveryMs = usualCheckMs,
}: Options): RemoteQuestions => {
  const open = new Map<string, Waiting>()
  /** Questions of other nodes that a browser here is asked. */
  const asking = new Map<string, AbortController>()
  /** Answers of browsers here that nobody received. The next check takes it along. */
  const undelivered = new Map<string, Reply>()

  const ask = async ({ userId, sessionId, event, timeoutMs, signal }: FullQuestion): Promise<unknown> => {
    signal?.throwIfAborted()
    const id = ids.next()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const waiting: Waiting = { without: 0, asked: Number.POSITIVE_INFINITY, resolve, reject, missed: undefined }
    const abort = () => {
      reject(signal?.reason)
      void sendToUser(userId, `cancel ${id}`)
    }
    const timer = setTimeout(() => reject(failed()), timeoutMs + extraMs)
    const check = () => {
      if (waiting.missed !== undefined && waiting.missed++ > maxMissed) return reject(failed(gone))
      void sendToUser(userId, `cancel ${checkMark}${id}`)
    }
    const checking = setInterval(check, checkEveryMs)
    signal?.addEventListener('abort', abort, { once: true })
    open.set(id, waiting)
    try {
      const asked: Asked = { id, userId, sessionId, event, timeoutMs }
      // Not awaited: a caller who leaves, or the time limit, must not wait for Redis.
      sendToUser(userId, `question ${JSON.stringify(asked)}`).then((count) => {
        waiting.asked = count
        giveUpIfNobody(waiting)
      }, reject)
      check()
      return await promise
    } finally {
      clearTimeout(timer)
      clearInterval(checking)
      signal?.removeEventListener('abort', abort)
      open.delete(id)
    }
  }
  const reply = (to: string, message: Reply): Promise<number> => sendToNode(to, JSON.stringify(message))
  const replyAtLast = async (to: string, message: Reply): Promise<void> => {
    if ((await reply(to, message)) > 0) return void undelivered.delete(message.id)
    undelivered.set(message.id, message)
    setTimeout(() => undelivered.delete(message.id), undeliveredMs).unref()
  }

  return {
    ask,
    receive: (from, text) => {
      const { id, ...question } = parseOwn(text) as Asked
      if (!local.isHere(question.userId, question.sessionId)) {
        void reply(from, { id, state: 'elsewhere' })
        return
      }
      const controller = new AbortController()
      asking.set(id, controller)
      void local
        .ask({ ...question, signal: controller.signal })
        .finally(() => asking.delete(id))
        .then(
          (answer) => replyAtLast(from, { id, state: 'answer', answer }),
          (problem) =>
            replyAtLast(from, { id, state: 'failed', detail: problem instanceof AppError ? problem.message : gone }),
        )
    },
    cancel: (from, text) => {
      if (!text.startsWith(checkMark)) return asking.get(text)?.abort()
      const id = text.slice(checkMark.length)
      const late = undelivered.get(id)
      if (late) void replyAtLast(from, late)
      else if (asking.has(id)) void reply(from, { id, state: 'open' })
    },
    receiveReply: (text) => {
      const message = parseOwn(text) as Reply
      const waiting = open.get(message.id)
      if (!waiting) return
      if (message.state === 'answer') waiting.resolve(message.answer)
      else if (message.state === 'failed') waiting.reject(failed(message.detail))
      else if (message.state === 'open') waiting.missed = 0
      else {
        waiting.without += 1
        giveUpIfNobody(waiting)
      }
    },
  }
}

const giveUpIfNobody = ({ without, asked, reject }: Waiting): void => {
  if (without >= asked) reject(failed(gone))
}
