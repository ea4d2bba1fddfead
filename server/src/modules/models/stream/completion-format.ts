/** Builds objects of the chat-completion API. Pure. */
import { Readable } from 'node:stream'
import { type ByteFlow, flowOf } from '#kernel/bytes/byte-flow.ts'

export interface ChunkHead {
  id: string
  created: number
  model: string
}

export interface TokenUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
}

export const chunkOf = (head: ChunkHead, delta: Record<string, unknown>, finish: string | null = null) => ({
  id: head.id,
  object: 'chat.completion.chunk',
  created: head.created,
  model: head.model,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
})

export const usageChunkOf = (head: ChunkHead, usage: unknown) => ({
  ...chunkOf(head, {}),
  choices: [],
  usage,
})

export const completionOf = (head: ChunkHead, content: string, usage: TokenUsage) => ({
  id: head.id,
  object: 'chat.completion',
  created: head.created,
  model: head.model,
  choices: [{ index: 0, message: { role: 'assistant', content }, logprobs: null, finish_reason: 'stop' }],
  usage,
})

export const frameOf = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`
export const doneFrame = 'data: [DONE]\n\n'

export const usageOf = (promptTokens: number, completionTokens: number): TokenUsage => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
})

/** A whole reply as a stream, for a caller who asked for one. */
export const flowOfCompletion = (completion: Record<string, unknown>): ByteFlow => {
  const { choices, usage, ...head } = completion
  const deltas = (Array.isArray(choices) ? choices : []).map((choice: Record<string, unknown>) => {
    const { message, ...rest } = choice
    return { ...rest, delta: message ?? {} }
  })
  const chunk = { ...head, object: 'chat.completion.chunk', choices: deltas }
  const usageFrame = usage === undefined ? '' : frameOf({ ...chunk, choices: [], usage })
  return flowOf(Readable.from([Buffer.from(frameOf(chunk) + usageFrame + doneFrame)]))
}
