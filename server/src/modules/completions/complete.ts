/** One completion, by one of three paths: forwarded as it is, through the pipeline, or as a reply in a chat. */
import { AppError } from '#kernel/errors.ts'
import type { ReplyFlow, ResolvedModel } from '#modules/models/index.ts'
import { completeInChat } from './complete-in-chat.ts'
import type { CompletionsContext } from './context.ts'
import { findReplyTarget } from './find-reply-target.ts'
import { chunksOf } from './frames.ts'
import type { CompletionOutcome, CompletionRequest } from './interface.ts'
import { makeReply } from './make-reply.ts'
import { applyModelDefaults } from './pipeline/apply-model-defaults.ts'
import { wantsUsage } from './pipeline/prepare-request.ts'
import { providerBody } from './pipeline/provider-fields.ts'
import type { PipelineRequest } from './pipeline/request.ts'
import { hasOwnImages } from './pipeline/resolve-images.ts'
import { isFiltered } from './pipeline/run-filters.ts'
import type { Chunk } from './rounds/chunk.ts'
import type { Piece } from './rounds/run-rounds.ts'

/** For the routes: a stream that nothing changes stays bytes. */
export type Outcome = CompletionOutcome | { kind: 'bytes'; flow: ReplyFlow; taskId: null }

export const complete = async (context: CompletionsContext, request: CompletionRequest): Promise<Outcome> => {
  const { actor, body } = request
  const resolved = request.models ? request.models.resolve(body.model) : context.models.resolve(actor, body.model)
  const model = resolved instanceof Promise ? await resolved : resolved
  if (isPlain(context, request, model)) return forward(context, request, model)
  const { chat, message } = await findReplyTarget(context, request)
  const pipelined = { actor, body, model, chat, messageId: message?.id ?? null }
  if (chat && message) return completeInChat(context, { ...pipelined, chat, messageId: message.id }, request)
  if (request.respondsAsync || isForSockets(context, request)) throw new AppError('message_not_found')
  const signal = AbortSignal.any([request.signal, context.calls.signal])
  return completeAlone(context, { ...pipelined, signal, emit: () => undefined })
}

/** True when the reply can be forwarded without being looked at. */
const isPlain = (context: CompletionsContext, { body }: CompletionRequest, model: ResolvedModel): boolean =>
  !body.chat_id &&
  // A model that is code may ask the browser of this session.
  !body.session_id &&
  !isFiltered(context, model) &&
  !body.filter_ids?.length &&
  !body.files?.length &&
  !hasOwnImages(body) &&
  (!body.tool_ids?.length || Boolean(body.tools)) &&
  !Object.values(body.features ?? {}).includes(true)

/** Versioning 3: on pre-release builds a streamed reply reaches the sockets only, and without a message it reaches nobody. */
const isForSockets = ({ config }: CompletionsContext, { body }: CompletionRequest): boolean =>
  config.SVC_BUILD === 'pre-release' && body.stream === true && Boolean(body.chat_id && body.id)

const forward = async (
  context: CompletionsContext,
  { actor, body, signal }: CompletionRequest,
  model: ResolvedModel,
): Promise<Outcome> => {
  const sent = providerBody(applyModelDefaults(context, { actor, body, model }))
  const done = context.calls.begin()
  try {
    const called = model.call({ actor, body: sent, signal })
    const answer = called instanceof Promise ? await called : called
    if (answer.kind === 'whole') return { kind: 'whole', completion: answer.completion, taskId: null }
    context.calls.watch(answer.flow)
    return { kind: 'bytes', flow: answer.flow, taskId: null }
  } finally {
    done()
  }
}

/** Through the pipeline, for one reader: the call ends when they disconnect. */
const completeAlone = async (context: CompletionsContext, request: PipelineRequest): Promise<CompletionOutcome> => {
  const pieces = context.calls.hold(makeReply(context, request))
  if (request.body.stream === true) {
    // Waits for the piece `open`, so that a refusal keeps its own status.
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
