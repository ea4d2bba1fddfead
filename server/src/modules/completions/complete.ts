/** One completion, through whichever of its three ways: straight through, through the pipeline, or as a reply in a chat. */
import type { ByteFlow } from '#kernel/bytes/byte-flow.ts'
import { AppError } from '#kernel/errors.ts'
import type { ResolvedModel } from '#modules/models/index.ts'
import { completeInChat } from './complete-in-chat.ts'
import type { CompletionsContext } from './context.ts'
import type { CompletionOutcome, CompletionRequest } from './face.ts'
import { findPlace } from './find-place.ts'
import { chunksOf } from './frames.ts'
import { makeReply } from './make-reply.ts'
import { dressRequest } from './pipeline/dress-request.ts'
import { wantsUsage } from './pipeline/prepare-request.ts'
import { providerBody } from './pipeline/provider-fields.ts'
import type { PipelineRequest } from './pipeline/request.ts'
import type { Chunk } from './rounds/chunk.ts'
import type { Piece } from './rounds/run-rounds.ts'

/** As the routes take it: a stream that nobody changes stays bytes. */
export type Outcome = CompletionOutcome | { kind: 'bytes'; flow: ByteFlow; taskId: null }

export const complete = async (context: CompletionsContext, request: CompletionRequest): Promise<Outcome> => {
  const { actor, body } = request
  const resolved = request.models ? request.models.resolve(body.model) : context.models.resolve(actor, body.model)
  const model = resolved instanceof Promise ? await resolved : resolved
  if (isPlain(context, request)) return forward(context, request, model)
  const { chat, message } = await findPlace(context, request)
  const pipelined = { actor, body, model, chat, messageId: message?.id ?? null }
  if (chat && message) return completeInChat(context, { ...pipelined, chat, messageId: message.id }, request)
  if (request.respondsAsync) throw new AppError('message_not_found')
  const signal = AbortSignal.any([request.signal, context.calls.signal])
  return completeAlone(context, { ...pipelined, signal, emit: () => undefined })
}

/** Nothing of ours has to look at the reply. */
const isPlain = ({ filterSources }: CompletionsContext, { body }: CompletionRequest): boolean =>
  !body.chat_id &&
  filterSources.length === 0 &&
  !body.files?.length &&
  (!body.tool_ids?.length || Boolean(body.tools)) &&
  !Object.values(body.features ?? {}).includes(true)

const forward = async (
  context: CompletionsContext,
  { actor, body, signal }: CompletionRequest,
  model: ResolvedModel,
): Promise<Outcome> => {
  const dressed = providerBody(dressRequest(context, { actor, body, model }))
  const called = model.call({ actor, body: dressed, signal })
  const answer = called instanceof Promise ? await called : called
  if (answer.kind === 'whole') return { kind: 'whole', completion: answer.completion, taskId: null }
  context.calls.watch(answer.flow)
  return { kind: 'bytes', flow: answer.flow, taskId: null }
}

/** Through the pipeline, for a reader who is the only one: when they leave, so does the call. */
const completeAlone = async (context: CompletionsContext, request: PipelineRequest): Promise<CompletionOutcome> => {
  const pieces = context.calls.hold(makeReply(context, request))
  if (request.body.stream === true) {
    // Waits for `open`, so that a refusal keeps its status.
    await pieces.next()
    return { kind: 'stream', chunks: chunksOf(pieces, { wantsUsage: wantsUsage(request.body) }), taskId: null }
  }
  return { kind: 'whole', completion: await wholeOf(pieces), taskId: null }
}

const wholeOf = async (pieces: AsyncIterable<Piece>): Promise<Chunk> => {
  const sources: unknown[] = []
  let completion: Chunk = {}
  for await (const piece of pieces) {
    if (piece.kind === 'sources') sources.push(...piece.sources)
    else if (piece.kind === 'whole') completion = piece.completion
  }
  return sources.length > 0 ? { ...completion, sources } : completion
}
