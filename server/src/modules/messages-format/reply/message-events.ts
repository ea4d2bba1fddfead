/**
 * Turns chunks of a chat completion into events of the messages format, in that API's order: the start of the message,
 * its blocks one by one, and its end with the stop reason and usage. Pure.
 */
import { type BlockEvent, createBlockQueue } from './block-queue.ts'
import { type Choice, choiceOf, reasoningOf, textOf, thoughtsOf, toolCallsOf } from './completion.ts'
import { stopOf } from './stop-reason.ts'
import { generatedCallId, messageHead, type ReplyIdentity } from './to-message.ts'
import { noUsage, usageOf } from './usage.ts'

export type StreamEvent = BlockEvent

export interface MessageEvents {
  push(chunk: Record<string, unknown>): StreamEvent[]
  /** The reply is complete. */
  end(): StreamEvent[]
}

export const createMessageEvents = (frame: ReplyIdentity): MessageEvents => {
  const blocks = createBlockQueue({ makeCallId: (index) => generatedCallId(frame.id, index) })
  const longest = Math.max(0, ...frame.stopSequences.map(({ length }) => length))
  let isStarted = false
  let finish: Choice | undefined
  let usage: unknown
  let textEnd = ''
  let hasToolCalls = false

  const start = (chunk: Record<string, unknown>): StreamEvent[] => {
    if (isStarted) return []
    isStarted = true
    const sources = chunk.sources === undefined ? {} : { sources: chunk.sources }
    const empty = {
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...noUsage, input_tokens: frame.inputTokens },
      ...sources,
    }
    return [{ type: 'message_start', message: { ...messageHead(frame), ...empty } }, { type: 'ping' }]
  }

  const choiceEvents = (choice: Choice): StreamEvent[] => {
    const made: StreamEvent[] = []
    const delta = choice.delta ?? choice.message ?? {}
    const thoughts = thoughtsOf(delta)
    const reasoning = thoughts.length === 0 ? reasoningOf(delta) : ''
    for (const thought of thoughts) made.push(...blocks.thought(thought))
    if (reasoning !== '') made.push(...blocks.thought({ type: 'thinking', thinking: reasoning, signature: '' }))
    const text = textOf(delta)
    if (text !== '') {
      made.push(...blocks.text(text))
      if (longest > 0) textEnd = (textEnd + text).slice(-longest)
    }
    for (const call of toolCallsOf(delta)) {
      hasToolCalls = true
      made.push(...blocks.toolCall(call))
    }
    if (choice.finish_reason) {
      finish = choice
      made.push(...blocks.end())
    }
    return made
  }

  return {
    push: (chunk) => {
      if (chunk.usage) usage = chunk.usage
      const choice = choiceOf(chunk)
      const made = start(chunk)
      return choice ? made.concat(choiceEvents(choice)) : made
    },
    end: () => [
      ...start({}),
      ...blocks.end(),
      {
        type: 'message_delta',
        delta: stopOf({ finish: finish ?? {}, stopSequences: frame.stopSequences, textEnd, hasToolCalls }),
        usage: usageOf(usage),
      },
      { type: 'message_stop' },
    ],
  }
}
