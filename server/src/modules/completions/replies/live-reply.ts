/**
 * A reply while it is being made. The task that makes it speaks here; sockets, resumed streams and the database follow,
 * each at its own pace. Nobody who follows can hold it up or stop it.
 */
import type { ReplyFrame } from '@chancery/contract/chat-events.ts'
import { AppError } from '#kernel/errors.ts'
import type { MessageRef } from '#modules/chats/index.ts'
import { deltaOf, messageOf, usageOf } from '../rounds/chunk.ts'
import type { Piece } from '../rounds/run-rounds.ts'
import type { UsageCounts } from '../rounds/sum-usage.ts'
import { createBatch } from './batch.ts'
import { createReplayLog, type ReplayLog, type Words } from './replay-log.ts'

export interface ReplyIdentity {
  taskId: string
  place: MessageRef
  userId: string
}

export interface LiveReply extends ReplyIdentity {
  log: ReplayLog
  sources: unknown[]
  usage: UsageCounts | undefined
  /** Aborted by `halt`. */
  signal: AbortSignal
  /** Why it was halted: by the user (`stop`), by our end, or because it is no longer ours to write. */
  halted: Halt | undefined
  /** Resolves when the end is stored and told. */
  ended: Promise<void>
  take(piece: Piece): void
  /** Text that comes from elsewhere than the model: a tool's own words. */
  say(words: Words): void
  /** Puts words that still wait for their frame into the log. */
  flush(): void
  halt(why: Halt): void
  /** Tells the end to everybody who follows. */
  finish(end: { error?: { content: string; code?: string } | undefined }): void
  /** From now on, each new frame; answers how to leave. */
  follow(listener: (frame: ReplyFrame) => void): () => void
}

export type Halt = 'stop' | 'shutdown' | 'lost'

const batchMs = 25
/** What a message can hold, in characters. */
const maxLength = 2_000_000

interface Options extends ReplyIdentity {
  /** Hears every frame: the owner's sockets. */
  announce(frame: ReplyFrame): void
  /** There is something new to be stored. */
  touch(): void
}

export const createLiveReply = ({ taskId, place, userId, announce, touch }: Options): LiveReply => {
  const log = createReplayLog()
  const halting = new AbortController()
  const listeners = new Set<(frame: ReplyFrame) => void>()
  const { promise: ended, resolve: settle } = Promise.withResolvers<void>()

  const tell = (frame: ReplyFrame): void => {
    announce(frame)
    for (const listener of listeners) listener(frame)
  }
  const batch = createBatch(batchMs, (words) => tell(log.addWords(words)))
  let length = 0

  const say = ({ content, reasoning }: Words): void => {
    if (content === '' && reasoning === '') return
    length += content.length + reasoning.length
    if (length > maxLength) throw new AppError('reply_too_long')
    batch.add({ content: content.replaceAll('\0', ''), reasoning: reasoning.replaceAll('\0', '') })
    touch()
  }
  const add = (rest: Omit<ReplyFrame, 'seq'>): void => {
    batch.flush()
    tell(log.add(rest))
    touch()
  }

  const reply: LiveReply = {
    ...{ taskId, place, userId, log, ended, say },
    sources: [],
    usage: undefined,
    signal: halting.signal,
    halted: undefined,
    take: (piece) => {
      if (piece.kind === 'chunk') say(deltaOf(piece.chunk))
      else if (piece.kind === 'whole') {
        say(messageOf(piece.completion))
        reply.usage = usageOf(piece.completion)
      } else if (piece.kind === 'usage') reply.usage = piece.usage
      else if (piece.kind === 'sources') {
        reply.sources.push(...piece.sources)
        add({ sources: piece.sources })
      }
    },
    flush: batch.flush,
    halt: (why) => {
      reply.halted ??= why
      halting.abort(new AppError('reply_interrupted'))
    },
    finish: ({ error }) => {
      if (error) add({ error })
      add({ done: true, ...(reply.usage && { usage: reply.usage }) })
      listeners.clear()
      settle()
    },
    follow: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return reply
}
