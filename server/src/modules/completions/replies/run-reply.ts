/** The task behind a reply in a chat: makes it, lets everybody follow, ends it once. It waits for none of its readers. */
import { AppError } from '#kernel/errors.ts'
import { asAppError } from '#kernel/http/error-reply.ts'
import type { CompletionsContext } from '../context.ts'
import { makeReply } from '../make-reply.ts'
import type { PipelineRequest } from '../pipeline/request.ts'
import type { Chunk } from '../rounds/chunk.ts'
import type { Piece } from '../rounds/run-rounds.ts'
import type { BegunReply } from './begin-reply.ts'
import { endReply } from './end-reply.ts'
import type { EventLine } from './event-line.ts'
import type { LiveReply } from './live-reply.ts'

export interface ReplyRun {
  begun: BegunReply
  request: PipelineRequest
  events: EventLine
  /** The caller's own view of the pieces. */
  onPiece(piece: Piece): void
  /** What the stored text becomes at the end, where outlet filters run here. */
  finalText?(): Promise<string | undefined>
}

export interface ReplyResult {
  /** Of a request that was not streamed, and that nobody stopped. */
  completion: Chunk | undefined
  failure: AppError | undefined
}

/** Never rejects: a failure is part of the result, and of the message. */
export const runReply = async (context: CompletionsContext, run: ReplyRun): Promise<ReplyResult> => {
  const { begun, request, events, onPiece } = run
  const { reply } = begun
  const result: ReplyResult = { completion: undefined, failure: undefined }
  let content: string | undefined
  try {
    for await (const piece of makeReply(context, request)) {
      reply.take(piece)
      onPiece(piece)
      if (piece.kind === 'whole') result.completion = piece.completion
    }
    reply.flush()
    content = await run.finalText?.()
  } catch (problem) {
    result.failure = failureOf(context, reply, problem)
  }
  await events.close()
  await endReply(context, begun, { failure: result.failure, content })
  return result
}

const failureOf = ({ log }: CompletionsContext, reply: LiveReply, problem: unknown): AppError | undefined => {
  if (reply.halted === 'stop') return undefined
  if (reply.halted) return new AppError('reply_interrupted')
  const failure = asAppError(problem)
  if (failure.code === 'internal_error') log.error({ err: problem, task: reply.taskId }, 'A reply failed.')
  return failure
}
