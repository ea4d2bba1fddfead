/**
 * One reply in the messages format. The request becomes a chat completion and goes through the same pipeline as all
 * others, which decides about models, access, filters, tools, chats and limits. Only the format changes here.
 */
import type { MessagesBody } from '@chancery/contract/chats/messages-format.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { withEarlyHead } from '#kernel/http/replies/early-head.ts'
import { asAppError } from '#kernel/http/replies/error-reply.ts'
import { eventStreamHeaders, type RawReply } from '#kernel/http/replies/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { MessagesFormatContext } from './context.ts'
import { countTokens } from './count-tokens.ts'
import { errorEvent } from './errors.ts'
import { toMessage } from './reply/to-message.ts'
import { toCompletion } from './request/to-completion.ts'
import { writeEvents, written } from './write-events.ts'

interface Request {
  body: MessagesBody
  http: Pick<HttpCall, 'requestId' | 'signal'>
}

export const createMessage = async (
  context: MessagesFormatContext,
  actor: Actor,
  request: Request,
): Promise<RawReply> => {
  const reply = answer(context, actor, request)
  const { requestId } = request.http
  if (request.body.stream !== true) return reply
  return withEarlyHead(reply, {
    silenceMs: context.silenceMs,
    headers: () => streamHeaders(requestId),
    failed: (problem) => written(errorEvent(asAppError(problem), requestId)),
  })
}

/** The header that clients of that API read the request's id from. */
const headersOf = (requestId: string) => ({ 'request-id': requestId })
const streamHeaders = (requestId: string) => ({ ...headersOf(requestId), ...eventStreamHeaders })

const answer = async (
  { completions, ids }: MessagesFormatContext,
  actor: Actor,
  { body, http: { requestId, signal } }: Request,
): Promise<RawReply> => {
  const outcome = await completions.complete({ actor, body: toCompletion(body), signal })
  const reply = {
    id: `msg_${ids.next().replaceAll('-', '')}`,
    model: body.model,
    stopSequences: body.stop_sequences ?? [],
    inputTokens: body.stream ? countTokens(body) : 0,
  }
  if (outcome.kind === 'stream')
    return { headers: streamHeaders(requestId), body: writeEvents({ chunks: outcome.chunks, reply, requestId }) }
  if (outcome.kind === 'begun') throw new AppError('internal_error')
  return {
    headers: { ...headersOf(requestId), 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(toMessage(outcome.completion, reply)),
  }
}
