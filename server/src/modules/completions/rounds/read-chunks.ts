/** Typed chunks out of a provider's stream. A stream that breaks throws here. */
import type { Readable } from 'node:stream'
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { parseFrames } from '#kernel/sse/sse-parser.ts'
import { type Chunk, finishReasonOf, usageOf } from './chunk.ts'

/** Each piece of the body holds whole frames. Ends at `[DONE]`; what follows it is not read. */
export async function* readChunks(body: Readable): AsyncGenerator<Chunk> {
  let isFinished = false
  try {
    for await (const frames of body as AsyncIterable<Buffer>)
      for (const { data } of parseFrames(frames)) {
        if (data === '[DONE]') return
        const chunk = chunkOf(data)
        if (!chunk) continue
        isFinished ||= finishReasonOf(chunk) !== null || usageOf(chunk) !== undefined
        yield chunk
      }
  } finally {
    body.destroy()
  }
  if (!isFinished) throw brokenOff()
}

export const brokenOff = (): AppError =>
  new AppError('provider_failed', { detail: 'The model broke off in the middle of its reply.' })

const chunkOf = (data: string): Chunk | undefined => {
  if (data.trim() === '') return undefined
  const value = parsed(data)
  if (!isJsonObject(value))
    throw new AppError('provider_failed', { detail: 'The model sent something that is not a reply.' })
  if (value.error) throw new AppError('provider_failed', { detail: errorMessage(value.error) })
  return value
}

const parsed = (data: string): unknown => {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

/** The provider's own words, if it has any: people need to know that a context was too long. */
const errorMessage = (error: unknown): string => {
  const message = isJsonObject(error) ? error.message : error
  const words = typeof message === 'string' ? message.replace(/\s+/g, ' ').trim().slice(0, 300) : ''
  return words === '' ? 'The model broke off.' : `The model broke off: ${words}`
}
