/** Chunks out of a provider's bytes, whatever the bytes are cut into. A stream that breaks, breaks here. */
import type { Readable } from 'node:stream'
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { createSseParser, type SseFrame } from '#kernel/sse/sse-parser.ts'
import { type Chunk, finishReasonOf } from './chunk.ts'

/** An image inside a chunk is some megabytes; more than this is a fault. */
const maxFrameBytes = 16 * 1024 * 1024

/** Ends at `[DONE]`; what follows it is not read. */
export async function* readChunks(body: Readable): AsyncGenerator<Chunk> {
  let isFinished = false
  try {
    for await (const { data } of readFrames(body)) {
      if (data === '[DONE]') return
      const chunk = chunkOf(data)
      if (!chunk) continue
      isFinished ||= finishReasonOf(chunk) !== null
      yield chunk
    }
  } finally {
    body.destroy()
  }
  if (!isFinished) throw new AppError('provider_failed', { detail: 'The model broke off in the middle of its reply.' })
}

async function* readFrames(body: Readable): AsyncGenerator<SseFrame> {
  const parser = createSseParser({ maxFrameBytes })
  for await (const bytes of body as AsyncIterable<Buffer>) yield* framesOf(() => parser.push(bytes))
  yield* framesOf(() => parser.end())
}

const framesOf = (read: () => SseFrame[]): SseFrame[] => {
  try {
    return read()
  } catch (cause) {
    throw new AppError('provider_failed', { detail: 'The model sent more in one piece than is accepted.', cause })
  }
}

const chunkOf = (data: string): Chunk | undefined => {
  if (data.trim() === '') return undefined
  const value = parsed(data)
  if (!isJsonObject(value))
    throw new AppError('provider_failed', { detail: 'The model sent something that is no reply.' })
  if (value.error) throw new AppError('provider_failed', { detail: brokenOff(value.error) })
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
const brokenOff = (error: unknown): string => {
  const message = isJsonObject(error) ? error.message : error
  const words = typeof message === 'string' ? message.replace(/\s+/g, ' ').trim().slice(0, 300) : ''
  return words === '' ? 'The model broke off.' : `The model broke off: ${words}`
}
