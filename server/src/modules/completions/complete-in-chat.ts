/**
 * A completion whose reply belongs to a chat. It runs as a task of its own; the caller's connection is only one of its
 * readers, and the reply continues when that connection closes.
 */

import type { UiEvent } from '@chancery/contract/chats/events.ts'
import { unixSeconds } from '#kernel/clock.ts'
import type { ChatHead } from '#modules/chats/index.ts'
import { startBackgroundTasks } from './background/start-background-tasks.ts'
import type { CompletionsContext } from './context.ts'
import { chunksOf } from './frames.ts'
import { createInlineOutlet } from './inline-outlet.ts'
import type { CompletionOutcome, CompletionRequest } from './interface.ts'
import { wantsUsage } from './pipeline/prepare-request.ts'
import type { PipelineRequest } from './pipeline/request.ts'
import { type BegunReply, beginReply } from './replies/begin-reply.ts'
import { createEventQueue } from './replies/event-queue.ts'
import { resumePath } from './replies/follow-reply.ts'
import { contentsOf, joinPieces } from './replies/join-text.ts'
import { createReaderQueue, type ReaderQueue } from './replies/reader-queue.ts'
import { createStart, type ReplyResult, runReply } from './replies/run-reply.ts'
import type { Chunk } from './rounds/chunk.ts'
import type { Piece } from './rounds/run-rounds.ts'
import { wholeCompletion } from './rounds/whole-completion.ts'

export type ChatRequest = Omit<PipelineRequest, 'signal' | 'emit'> & { chat: ChatHead; messageId: string }

/** The most that waits for a caller that doesn't read (A36), in characters of text, once chunks are joined. */
const maxWaiting = 1024 * 1024
/** Counted for each chunk beside its text. */
const chunkWeight = 300

const sizeOf = (piece: Piece): number => chunkWeight + (piece.kind === 'chunk' ? contentsOf(piece.chunk) : 0)

export const completeInChat = async (
  context: CompletionsContext,
  request: ChatRequest,
  { respondsAsync, onTask, body }: CompletionRequest,
): Promise<CompletionOutcome> => {
  const ref = { chatId: request.chat.id, messageId: request.messageId }
  const begun = await beginReply(context, request.actor, ref)
  const { taskId } = begun.reply
  onTask?.(taskId)
  const start = (reader: Reader) => startReply(context, { begun, request, reader })
  if (respondsAsync) {
    start(noReader)
    return { kind: 'begun', taskId }
  }
  if (body.stream !== true) {
    const completion = wholeOf(context, { begun, request }, await start(noReader).result)
    return { kind: 'whole', completion, taskId }
  }
  if (context.config.SVC_BUILD === 'pre-release') {
    const { opened, result } = start(noReader)
    await opened
    return { kind: 'stream', chunks: noChunks(result), taskId }
  }
  const resumeAt = resumePath(ref)
  const queue = createReaderQueue<Piece>({ sizeOf, maxSize: maxWaiting, join: joinPieces, resumeAt })
  await start(queue).opened
  return { kind: 'stream', chunks: chunksOf(queue.items(), { wantsUsage: wantsUsage(body) }), taskId }
}

type Reader = Pick<ReaderQueue<Piece>, 'push' | 'end'>

const noReader: Reader = { push: () => undefined, end: () => undefined }

interface Start {
  begun: BegunReply
  request: ChatRequest
  reader: Reader
}

interface RunningReply {
  /** Rejects with a failure from before the model accepted the request, once that failure is stored. */
  opened: Promise<void>
  result: Promise<ReplyResult>
}

const startReply = (context: CompletionsContext, { begun, request, reader }: Start): RunningReply => {
  const { chats, log, tasks } = context
  const { reply } = begun
  const opening = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<ReplyResult>()
  // With `respond-async` nobody waits for it.
  opening.promise.catch(() => undefined)
  const startOnce = createStart(context, reply, request.model)
  const apply = async (event: UiEvent) => {
    await startOnce()
    await chats.applyEvent(request.chat, request.messageId, event)
  }
  const events = createEventQueue({ reply, apply, log })
  const pipelined: PipelineRequest = { ...request, signal: reply.signal, emit: events.emit }
  const outlet = createInlineOutlet(context, pipelined, reply)

  tasks.run('completions.reply', async () => {
    const result = await runReply(context, {
      begun,
      request: pipelined,
      events,
      start: startOnce,
      ...(outlet && { finalText: outlet.run }),
      onPiece: (piece) => {
        if (piece.kind === 'open') opening.resolve()
        reader.push(piece)
      },
    })
    outlet?.announce()
    if (result.failure) opening.reject(result.failure)
    else opening.resolve()
    reader.end(result.failure)
    finished.resolve(result)
    if (!result.failure && !reply.cancelReason) startBackgroundTasks(context, pipelined, reply)
  })
  return { opened: opening.promise, result: finished.promise }
}

/** Versioning 3: on pre-release builds the content goes to the sockets, and the HTTP stream carries only the end. */
// biome-ignore lint/correctness/useYield: There is nothing to yield, only an end to wait for.
async function* noChunks(result: Promise<ReplyResult>): AsyncGenerator<Chunk> {
  const { failure } = await result
  if (failure) throw failure
}

const wholeOf = (
  { clock }: CompletionsContext,
  { begun, request }: Omit<Start, 'reader'>,
  { completion, failure }: ReplyResult,
): Record<string, unknown> => {
  if (failure) throw failure
  const { log, sources, usage, taskId } = begun.reply
  const { content, reasoning } = log
  const createdSec = unixSeconds(clock.now())
  const whole =
    completion ?? wholeCompletion({ id: taskId, model: request.model.id, createdSec, content, reasoning, usage })
  return sources.length > 0 ? { ...whole, sources: [...sources] } : whole
}
