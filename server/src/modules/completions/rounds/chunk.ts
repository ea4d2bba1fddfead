/** Reads a `chat.completion.chunk`. A provider may send anything, so nothing about its shape is assumed. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'

export type Chunk = Record<string, unknown>

export interface Delta {
  content: string
  reasoning: string
  toolCalls: readonly unknown[]
}

const nothing: Delta = { content: '', reasoning: '', toolCalls: [] }

const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback)

/** The first of several choices: a message in a chat has one text. */
const firstChoice = ({ choices }: Chunk): Record<string, unknown> | undefined => {
  if (!Array.isArray(choices)) return undefined
  return choices.find((choice) => isJsonObject(choice) && (choice.index ?? 0) === 0)
}

/** Providers have two names for reasoning. */
const read = (part: unknown): Delta =>
  isJsonObject(part)
    ? {
        content: textOr(part.content, '') || textOr(part.refusal, ''),
        reasoning: textOr(part.reasoning_content, '') || textOr(part.reasoning, ''),
        toolCalls: Array.isArray(part.tool_calls) ? part.tool_calls : [],
      }
    : nothing

export const deltaOf = (chunk: Chunk): Delta => read(firstChoice(chunk)?.delta)
/** The same for a reply that was not streamed. */
export const messageOf = (completion: Chunk): Delta => read(firstChoice(completion)?.message)

export const finishReasonOf = (chunk: Chunk): string | null => {
  const reason = firstChoice(chunk)?.finish_reason
  return typeof reason === 'string' ? reason : null
}

export const usageOf = ({ usage }: Chunk): Record<string, unknown> | undefined =>
  isJsonObject(usage) ? usage : undefined

/** The last chunk of a stream, which has only usage. */
export const isOnlyUsage = (chunk: Chunk): boolean =>
  isJsonObject(chunk.usage) && Array.isArray(chunk.choices) && chunk.choices.length === 0

/** A chunk of our own for the same reply. */
export const contentChunk = (like: Chunk, content: string): Chunk => ({
  ...headOf(like),
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
})

export const headOf = ({ id, created, model }: Chunk): Chunk => ({
  id,
  object: 'chat.completion.chunk',
  created,
  model,
})
