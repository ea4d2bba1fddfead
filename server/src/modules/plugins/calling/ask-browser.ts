/**
 * `__event_call__`: a question to the one browser that made the request, which must be the caller's own. Throws when it
 * is not connected, when it leaves, and at WEBSOCKET_EVENT_CALLER_TIMEOUT.
 */
import { z } from 'zod'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import type { CallOrigin } from './call-origin.ts'

const text = z.string().max(100_000)

const Question = z.discriminatedUnion('type', [
  z.object({ type: z.literal('confirmation'), data: z.looseObject({ title: text, message: text.optional() }) }),
  z.object({
    type: z.literal('input'),
    data: z.looseObject({
      title: text,
      message: text.optional(),
      placeholder: text.optional(),
      value: z.unknown().optional(),
      type: text.optional(),
    }),
  }),
  z.object({ type: z.literal('execute'), data: z.looseObject({ code: z.string().max(1_000_000) }) }),
])

export const askBrowser = async (
  realtime: Pick<Realtime, 'call'>,
  { actor, chatId, messageId, sessionId }: CallOrigin,
  message: unknown,
  signal: AbortSignal,
): Promise<unknown> => {
  const { success, data: question } = Question.safeParse(message)
  if (!success) throw new Error('Ask with an event of the type confirmation, input or execute, and the data it needs.')
  if (sessionId === null) throw new Error('The request names no session, so there is no browser to ask.')
  const answer = await realtime.call({
    userId: actor.id,
    sessionId,
    event: { chat_id: chatId, message_id: messageId, data: question },
    signal,
  })
  if (question.type === 'input') return { value: enteredValue(answer) }
  if (question.type === 'execute' && isJsonObject(answer) && typeof answer.error === 'string')
    throw new Error(`The code failed in the browser: ${answer.error.slice(0, 1000)}`)
  return answer ?? null
}

/** Browsers answer with the value itself or an object that has it; cancelling is false. */
const enteredValue = (answer: unknown): unknown => {
  const value = isJsonObject(answer) && 'value' in answer ? answer.value : answer
  return value === false || value === undefined ? null : value
}
