/**
 * One reply in the messages format. The request becomes a chat completion and goes through the same pipeline as all
 * others, which decides about models, access, filters, tools, chats and limits. Only the format changes here.
 */
import type { MessagesBody } from '@chancery/contract/messages-format.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { eventStreamHeaders, type RawReply } from '#kernel/http/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { MessagesFormatContext } from './context.ts'
import { countTokens } from './count-tokens.ts'
import { toMessage } from './reply/to-message.ts'
import { toCompletion } from './request/to-completion.ts'
import { writeEvents } from './write-events.ts'

interface Request {
  body: MessagesBody
  http: Pick<HttpCall, 'requestId' | 'signal'>
}

export const createMessage = async (
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
  // Where that API's clients look for it when they report a problem.
  const headers = { 'request-id': requestId }
  if (outcome.kind === 'stream')
    return {
      headers: { ...headers, ...eventStreamHeaders },
      body: writeEvents({ chunks: outcome.chunks, reply, requestId }),
    }
  if (outcome.kind === 'begun') throw new AppError('internal_error')
  return {
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(toMessage(outcome.completion, reply)),
  }
}
