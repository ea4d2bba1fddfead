/** A whole chat completion as a message. Pure. */
import { createForeignReader } from '#kernel/json/parse-foreign.ts'
import { argumentsOf, choiceOf, type Delta, reasoningOf, textOf, thoughtsOf, toolCallsOf } from './completion.ts'
import { stopOf } from './stop-reason.ts'
import { usageOf } from './usage.ts'

export interface ReplyIdentity {
  /** `msg_…` */
  id: string
  /** As the caller named it. */
  model: string
  stopSequences: readonly string[]
  /** An estimate for the start of a stream, when the model has not counted yet. */
  inputTokens: number
}

export type ContentBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'text'; text: string; citations: null }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }

export const toMessage = (completion: Record<string, unknown>, frame: ReplyIdentity): Record<string, unknown> => {
  const choice = choiceOf(completion)
  const message = choice?.message ?? {}
  const content = contentBlocks(message, frame.id)
  const stop = stopOf({
    finish: choice ?? {},
    stopSequences: frame.stopSequences,
    textEnd: textOf(message),
    hasToolCalls: content.some(({ type }) => type === 'tool_use'),
  })
  return {
    ...messageHead(frame),
    content,
    ...stop,
    usage: usageOf(completion.usage),
    ...(completion.sources === undefined ? {} : { sources: completion.sources }),
  }
}

export const messageHead = ({ id, model }: ReplyIdentity) => ({ id, type: 'message', role: 'assistant', model })

/** In the order in which a model generates them. */
export const contentBlocks = (message: Delta, messageId: string): ContentBlock[] => {
  const thoughts = thoughtsOf(message)
  const reasoning = reasoningOf(message)
  const text = textOf(message)
  const read = createForeignReader()
  return [
    ...(thoughts.length === 0 && reasoning !== ''
      ? [{ type: 'thinking' as const, thinking: reasoning, signature: '' }]
      : thoughts),
    ...(text === '' ? [] : [{ type: 'text' as const, text, citations: null }]),
    ...toolCallsOf(message).map((call, index) => ({
      type: 'tool_use' as const,
      id: call.id || generatedCallId(messageId, index),
      name: call.function?.name ?? '',
      input: inputOf(argumentsOf(call), read),
    })),
  ]
}

/** For servers that send tool calls without ids: the result has to name one. */
export const generatedCallId = (messageId: string, index: number) => `${messageId.replace(/^msg_/, 'toolu_')}_${index}`

/** A model may write anything. What is not an object is passed on as `arguments`, for the caller's tool to refuse. */
const inputOf = (text: string, read: (json: string) => unknown): Record<string, unknown> => {
  if (text.trim() === '') return {}
  try {
    const input = read(text)
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Record<string, unknown>
  } catch {
    // Falls through: not JSON.
  }
  return { arguments: text }
}
