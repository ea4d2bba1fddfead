/** A reply that isn't streamed passes the same filters as one that is, as a single chunk. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { Chunk } from './chunk.ts'

/** Null drops the chunk. */
export type FilterChunk = (chunk: Chunk) => Promise<Chunk | null>

/** A reply that is dropped says nothing. */
export const filterWhole = async (filterChunk: FilterChunk | undefined, completion: Chunk): Promise<Chunk> => {
  if (!filterChunk) return completion
  const shown = await filterChunk(asChunk(completion))
  return asCompletion(shown ?? asChunk({ ...completion, choices: choicesOf(completion).map(silenced) }))
}

const choicesOf = ({ choices }: Chunk): Record<string, unknown>[] =>
  Array.isArray(choices) ? choices.filter(isJsonObject) : []

const silenced = (choice: Record<string, unknown>) => ({ ...choice, message: { role: 'assistant', content: '' } })

const asChunk = (completion: Chunk): Chunk => ({
  ...completion,
  object: 'chat.completion.chunk',
  choices: choicesOf(completion).map(({ message, ...choice }) => ({ ...choice, delta: message })),
})

const asCompletion = (chunk: Chunk): Chunk => ({
  ...chunk,
  object: 'chat.completion',
  choices: choicesOf(chunk).map(({ delta, ...choice }) => ({ ...choice, message: delta })),
})
