/** Pure. What a runtime's native `/api/chat` answers, in the words of the chat-completion API. */

import { type TokenUsage, usageOf } from '../stream/completion-format.ts'

/** One JSON object of the runtime's. It is foreign, so every field may be anything. */
export interface NativeLine {
  created_at?: unknown
  message?: unknown
  done?: unknown
  done_reason?: unknown
  prompt_eval_count?: unknown
  eval_count?: unknown
  logprobs?: unknown
  error?: unknown
}

interface NativeToolCall {
  id?: unknown
  function?: { name?: unknown; arguments?: unknown } | null
}

export interface NativeParts {
  content: string
  thinking: string
  calls: NativeToolCall[]
}

const nothing: NativeParts = { content: '', thinking: '', calls: [] }

export const partsOf = ({ message }: NativeLine): NativeParts => {
  if (typeof message !== 'object' || message === null) return nothing
  const { content, thinking, tool_calls: calls } = message as Record<string, unknown>
  return {
    content: textOf(content),
    thinking: textOf(thinking),
    calls: Array.isArray(calls) ? calls.filter((call) => typeof call === 'object' && call !== null) : [],
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const toCompletion = (
  line: NativeLine,
  { id, model }: { id: string; model: string },
): Record<string, unknown> => {
  const { content, thinking, calls } = partsOf(line)
  const toolCalls = calls.map((call, index) => toToolCall(call, `${id}-${index}`))
  const message = {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    ...(thinking && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: toolCalls }),
  }
  const choice = {
    index: 0,
    message,
    finish_reason: finishReason(line, calls.length > 0),
    ...(line.logprobs !== undefined && { logprobs: { content: line.logprobs } }),
  }
  return { id, object: 'chat.completion', created: madeAt(line), model, choices: [choice], usage: tokenUsage(line) }
}

/** Older runtimes give calls no id; two replies of one conversation must not share one. */
export const toToolCall = ({ id, function: called }: NativeToolCall, ownId: string) => ({
  id: textOf(id) || `call_${ownId}`,
  type: 'function',
  function: { name: textOf(called?.name), arguments: JSON.stringify(called?.arguments ?? {}) },
})

export const finishReason = ({ done_reason: reason }: NativeLine, hasToolCalls: boolean): string => {
  if (hasToolCalls) return 'tool_calls'
  return reason === 'length' ? 'length' : 'stop'
}

/** A count is left out where it is zero, as for a prompt that was in the runtime's cache. */
export const tokenUsage = (line: NativeLine): TokenUsage =>
  usageOf(countOf(line.prompt_eval_count), countOf(line.eval_count))

const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0

/** Unix seconds, by the runtime's clock. */
export const madeAt = ({ created_at: at }: NativeLine): number => Math.floor(Date.parse(textOf(at)) / 1000) || 0

/** The runtime's own words about a failure. */
export const problemIn = ({ error }: NativeLine): string | undefined => {
  if (error === undefined || error === null) return undefined
  if (typeof error === 'string') return error
  const { message } = error as { message?: unknown }
  return typeof message === 'string' ? message : 'The runtime reported an error.'
}
