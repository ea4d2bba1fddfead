/**
 * A reply from any point on, for readers who were away. One that runs here is followed frame by frame; one that another
 * node makes is waited for; one that is over is told in a single frame.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ReplyFrame } from '@chancery/contract/chat-events.ts'
import type { Message } from '@chancery/contract/chats.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { MessageRef } from '#modules/chats/index.ts'
import type { CompletionsContext } from '../context.ts'
import { hasTask } from '../queries.ts'
import type { LiveReply } from './live-reply.ts'
import { createReaderQueue } from './reader-queue.ts'

export interface Following {
  place: MessageRef
  after: number
  signal: AbortSignal
}

/** Throws `chat_not_found`, `message_not_found`, and `reply_not_running` where no reply was ever begun. */
export const followReply = async (
  context: CompletionsContext,
  actor: Actor,
  following: Following,
): Promise<AsyncGenerator<ReplyFrame>> => {
  const { place, after, signal } = following
  const message = await context.chats.requireMessage(actor, place)
  const reply = context.replies.findAt(place)
  if (reply) return framesOf(reply, after, signal)
  if (message.done) return once(storedFrame(message, after))
  if (!(await hasTask(context.db, actor, place))) throw new AppError('reply_not_running')
  return waitElsewhere(context, actor, following)
}

async function* once(frame: ReplyFrame): AsyncGenerator<ReplyFrame> {
  yield frame
}

const storedFrame = (message: Message, after: number): ReplyFrame => {
  const { content, reasoning_content, sources, usage, error } = message as Message & Partial<ReplyFrame>
  return {
    seq: after + 1,
    content,
    ...(reasoning_content && { reasoning_content }),
    ...(sources && { sources }),
    ...(error && { error }),
    ...(usage && { usage }),
    done: true,
  }
}

/** What may wait for a reader who takes nothing (A36), in characters. */
const maxWaiting = 1024 * 1024
const frameWeight = 100

const sizeOf = ({ choices }: ReplyFrame): number => {
  const { content, reasoning_content } = choices?.[0]?.delta ?? {}
  return frameWeight + (content?.length ?? 0) + (reasoning_content?.length ?? 0)
}

/** Joined to the live frames before anything is awaited, so that none falls between what was and what comes. */
const framesOf = (reply: LiveReply, after: number, signal: AbortSignal): AsyncGenerator<ReplyFrame> => {
  const queue = createReaderQueue<ReplyFrame>({ sizeOf, maxSize: maxWaiting })
  reply.flush()
  const before = reply.log.after(after)
  const leave = reply.follow((frame) => {
    queue.push(frame)
    if (frame.done) queue.end()
  })
  const end = () => queue.end()
  signal.addEventListener('abort', end, { once: true })
  return (async function* () {
    try {
      yield* before
      if (before.at(-1)?.done) return
      yield* queue.items()
    } finally {
      leave()
      signal.removeEventListener('abort', end)
    }
  })()
}

const lookEveryMs = 1000

/** Its frames are in another process, so their numbers mean nothing here: what is stored comes whole, at the end. */
async function* waitElsewhere(
  context: CompletionsContext,
  actor: Actor,
  { place, after, signal }: Following,
): AsyncGenerator<ReplyFrame> {
  while (!signal.aborted) {
    const message = await context.chats.requireMessage(actor, place)
    if (message.done) {
      yield storedFrame(message, after)
      return
    }
    await delay(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
