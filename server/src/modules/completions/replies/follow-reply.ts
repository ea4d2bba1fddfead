/**
 * A reply from any frame on, for readers that reconnect. A reply that runs on this node is followed frame by frame; one on
 * another node is waited for; a finished one is sent as a single frame.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Message } from '@chancery/contract/chats/chats.ts'
import type { ReplyFrame } from '@chancery/contract/chats/events.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { MessageRef } from '#modules/chats/index.ts'
import type { CompletionsContext } from '../context.ts'
import { hasTask } from '../queries.ts'
import { joinFrames } from './join-text.ts'
import type { LiveReply } from './live-reply.ts'
import { createReaderQueue } from './reader-queue.ts'

export interface Following {
  ref: MessageRef
  after: number
  signal: AbortSignal
}

/** The path at which a reader goes on. */
export const resumePath = ({ chatId, messageId }: MessageRef): string =>
  `/api/v1/chats/${chatId}/messages/${messageId}/stream`

/** Throws `chat_not_found`, `message_not_found`, and `reply_not_running` if no reply was started. */
export const followReply = async (
  context: CompletionsContext,
  actor: Actor,
  asked: Following,
): Promise<AsyncGenerator<ReplyFrame>> => {
  const { after, signal } = asked
  const message = await context.chats.requireMessage(actor, asked.ref)
  // The path may spell the id differently from the message.
  const ref = { chatId: asked.ref.chatId, messageId: message.id }
  const reply = context.replies.findAt(ref)
  if (reply) return framesOf(reply, after, signal)
  if (await hasTask(context.db, actor, ref)) return waitForReply(context, actor, { ...asked, ref })
  // Read again: the reply may have ended since.
  const ended = message.done ? message : await context.chats.requireMessage(actor, ref)
  if (!ended.done) throw new AppError('reply_not_running')
  return once(storedFrame(ended, after))
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

/** The most that waits for a reader that doesn't read (A36), in characters. */
const maxWaiting = 1024 * 1024
const frameWeight = 100

const sizeOf = ({ choices }: ReplyFrame): number => {
  const { content, reasoning_content } = choices?.[0]?.delta ?? {}
  return frameWeight + (content?.length ?? 0) + (reasoning_content?.length ?? 0)
}

/** Subscribes before anything is awaited, so that no frame is lost between the replayed and the live ones. */
const framesOf = (reply: LiveReply, after: number, signal: AbortSignal): AsyncGenerator<ReplyFrame> => {
  const resumeAt = resumePath(reply.ref)
  const queue = createReaderQueue<ReplyFrame>({ sizeOf, maxSize: maxWaiting, join: joinFrames, resumeAt })
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

/** Short at first, because a reply that is about to begin here does so within milliseconds. The last one repeats. */
const pausesMs = [50, 100, 200, 400, 1000]

/**
 * Runs on another node, as a rule: frame numbers of another process mean nothing here, so the stored reply is sent whole
 * at the end. Or it is about to begin here: a task is stored before its reply is registered.
 */
async function* waitForReply(
  context: CompletionsContext,
  actor: Actor,
  { ref, after, signal }: Following,
): AsyncGenerator<ReplyFrame> {
  // While this node is stopping, its readers ask another one.
  for (let round = 0; !signal.aborted && !context.leaving.aborted; round += 1) {
    const reply = context.replies.findAt(ref)
    if (reply) return yield* framesOf(reply, after, signal)
    if (!(await hasTask(context.db, actor, ref))) {
      yield storedFrame(await context.chats.requireMessage(actor, ref), after)
      return
    }
    await delay(pausesMs[round] ?? pausesMs.at(-1), undefined, {
      signal: AbortSignal.any([signal, context.leaving]),
      ref: false,
    }).catch(() => undefined)
  }
}
