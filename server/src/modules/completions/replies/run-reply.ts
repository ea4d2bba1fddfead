/** The task behind a reply in a chat: generates it, publishes it to readers, and ends it once. It waits for no reader. */
import { setImmediate } from 'node:timers/promises'
import { AppError } from '#kernel/errors.ts'
import { asAppError } from '#kernel/http/replies/error-reply.ts'
import type { ResolvedModel } from '#modules/models/index.ts'
import type { CompletionsContext } from '../context.ts'
import { makeReply } from '../make-reply.ts'
import type { PipelineRequest } from '../pipeline/request.ts'
import type { Chunk } from '../rounds/chunk.ts'
import type { Piece } from '../rounds/run-rounds.ts'
import type { BegunReply } from './begin-reply.ts'
import { endReply } from './end-reply.ts'
import type { EventQueue } from './event-queue.ts'
import type { LiveReply } from './live-reply.ts'

export interface ReplyRun {
  begun: BegunReply
  request: PipelineRequest
  events: EventQueue
  /** See `createStart`. */
  start(): Promise<void>
  /** Gets every piece, for the caller's own connection. */
  onPiece(piece: Piece): void
  /** Returns the text to store at the end, if outlet filters run here. */
  finalText?(): Promise<string | undefined>
}

export interface ReplyResult {
  /** Only for a request that was not streamed and not stopped. */
  completion: Chunk | undefined
  failure: AppError | undefined
}

const piecesPerTurn = 256

/** Never rejects: a failure is part of the result and is stored with the message. */
export const runReply = async (context: CompletionsContext, run: ReplyRun): Promise<ReplyResult> => {
  const { begun, request, events, onPiece } = run
  const { reply } = begun
  const result: ReplyResult = { completion: undefined, failure: undefined }
  let content: string | undefined
  let pieces = 0
  try {
    for await (const piece of makeReply(context, request)) {
      // Pieces that have arrived follow each other without a pause, in which their readers could read.
      pieces += 1
      if (pieces % piecesPerTurn === 0) await setImmediate()
      if (piece.kind === 'open') await run.start()
      reply.addPiece(piece)
      onPiece(piece)
      if (piece.kind === 'whole') result.completion = piece.completion
    }
    reply.flush()
    if (run.finalText) {
      // Unless a filter that must hold fails: then nothing of it stays.
      content = ''
      content = await run.finalText()
    }
  } catch (problem) {
    result.failure = failureOf(context, reply, problem)
  }
  await events.close()
  await endReply(context, begun, { failure: result.failure, content })
  return result
}

/**
 * Empties the message, once: when the model has accepted the request, or before the first event that is stored with the
 * message, which would be emptied with it otherwise. Another node may have ended this reply meanwhile, if this one was
 * taken for dead.
 */
export const createStart = (
  { chats }: CompletionsContext,
  reply: LiveReply,
  model: ResolvedModel,
): ReplyRun['start'] => {
  const { ref, taskId } = reply
  const start = async (): Promise<void> => {
    reply.isStarted = await chats.startReply(ref, { taskId, model: model.id, modelName: model.name })
    if (!reply.isStarted) reply.cancel('lost')
    reply.signal.throwIfAborted()
  }
  let started: Promise<void> | undefined
  return () => {
    started ??= start()
    return started
  }
}

const failureOf = ({ log }: CompletionsContext, reply: LiveReply, problem: unknown): AppError | undefined => {
  if (reply.cancelReason === 'stop') return undefined
  if (reply.cancelReason) return new AppError('reply_interrupted')
  const failure = asAppError(problem)
  if (failure.code === 'internal_error') log.error({ err: problem, task: reply.taskId }, 'A reply failed.')
  return failure
}
