/**
 * A running reply. The task that generates it adds pieces here; sockets, resumed streams and the database read it, each at
 * its own pace. No reader can slow it down or stop it.
 */
import type { ReplyFrame } from '@chancery/contract/chats/events.ts'
import { AppError } from '#kernel/errors.ts'
import type { MessageRef } from '#modules/chats/index.ts'
import { type Delta, deltaOf, messageOf, usageOf } from '../rounds/chunk.ts'
import type { Piece } from '../rounds/run-rounds.ts'
import type { UsageCounts } from '../rounds/sum-usage.ts'
import { createToolCallPieces, type ToolCall } from '../rounds/tool-calls.ts'
import { createReplayLog, type ReplayLog, type ReplyText } from './replay-log.ts'
import { createTextBatch } from './text-batch.ts'

export interface ReplyIdentity {
  taskId: string
  ref: MessageRef
  userId: string
}

export interface LiveReply extends ReplyIdentity {
  log: ReplayLog
  sources: unknown[]
  usage: UsageCounts | undefined
  /** Calls of the caller's own tools; those of ours are not part of the reply. */
  readonly toolCalls: ToolCall[]
  /** Aborted by `cancel`. */
  signal: AbortSignal
  /** Set by `cancel`: the user stopped it, the server shuts down, or another node has taken the message over. */
  cancelReason: CancelReason | undefined
  /** True once the message has been emptied for this reply; before that it may hold a finished one. */
  isStarted: boolean
  /** Resolves when the end is stored and readers are told. */
  ended: Promise<void>
  addPiece(piece: Piece): void
  /** Text that doesn't come from the model: a tool's own output. */
  appendText(text: ReplyText): void
  /** Puts text that still waits for its frame into the log. */
  flush(): void
  cancel(reason: CancelReason): void
  /** Sends the end to all readers. */
  finish(end: { error?: { content: string; code?: string } | undefined }): void
  /** Calls the listener with each new frame; returns how to unsubscribe. */
  follow(listener: (frame: ReplyFrame) => void): () => void
}

export type CancelReason = 'stop' | 'shutdown' | 'lost'

const batchMs = 25
/** The longest text that a message can store, in characters. */
const maxLength = 2_000_000

interface Options extends ReplyIdentity {
  /** Gets every frame: the owner's sockets. */
  announce(frame: ReplyFrame): void
  /** There is something new to store. */
  onChange(): void
}

export const createLiveReply = ({ taskId, ref, userId, announce, onChange }: Options): LiveReply => {
  const log = createReplayLog()
  const cancelling = new AbortController()
  const listeners = new Set<(frame: ReplyFrame) => void>()
  const { promise: ended, resolve: settle } = Promise.withResolvers<void>()

  const publish = (frame: ReplyFrame): void => {
    announce(frame)
    for (const listener of listeners) listener(frame)
  }
  const toolCalls = createToolCallPieces()
  const addDelta = (delta: Delta): void => {
    toolCalls.add(delta.toolCalls)
    appendText(delta)
  }
  const batch = createTextBatch(batchMs, (text) => publish(log.addText(text)))
  let length = 0

  const appendText = ({ content, reasoning }: ReplyText): void => {
    if (content === '' && reasoning === '') return
    length += content.length + reasoning.length
    if (length > maxLength) throw new AppError('reply_too_long')
    batch.add({ content: content.replaceAll('\0', ''), reasoning: reasoning.replaceAll('\0', '') })
    onChange()
  }
  const add = (rest: Omit<ReplyFrame, 'seq'>): void => {
    batch.flush()
    publish(log.add(rest))
    onChange()
  }

  const reply: LiveReply = {
    taskId,
    ref,
    userId,
    log,
    ended,
    appendText,
    sources: [],
    usage: undefined,
    get toolCalls() {
      return toolCalls.list()
    },
    isStarted: false,
    signal: cancelling.signal,
    cancelReason: undefined,
    addPiece: (piece) => {
      if (piece.kind === 'chunk') addDelta(deltaOf(piece.chunk))
      else if (piece.kind === 'whole') {
        addDelta(messageOf(piece.completion))
        reply.usage = usageOf(piece.completion)
      } else if (piece.kind === 'usage') reply.usage = piece.usage
      else if (piece.kind === 'sources') {
        reply.sources.push(...piece.sources)
        add({ sources: piece.sources })
      }
    },
    flush: batch.flush,
    cancel: (reason) => {
      reply.cancelReason ??= reason
      cancelling.abort(new AppError('reply_interrupted'))
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
