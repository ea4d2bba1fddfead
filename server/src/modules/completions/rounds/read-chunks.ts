/** Typed chunks out of a provider's stream. A stream that breaks throws here. */
import { type ByteFlow, piecesOf } from '#kernel/bytes/byte-flow.ts'
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { parsePiece } from '#kernel/json/parse-foreign.ts'
import { parseFrames } from '#kernel/sse/sse-parser.ts'
import { errorOf } from '#modules/models/index.ts'
import { type Chunk, finishReasonOf, usageOf } from './chunk.ts'

/** Each piece of the flow holds whole frames. Ends at `[DONE]`; what follows it is not read. */
export async function* readChunks(flow: ByteFlow): AsyncGenerator<Chunk> {
  let isFinished = false
  for await (const frames of piecesOf(flow))
    for (const { data } of parseFrames(frames)) {
      if (data === '[DONE]') return
      const chunk = chunkOf(data)
      if (!chunk) continue
      isFinished ||= finishReasonOf(chunk) !== null || usageOf(chunk) !== undefined
      yield chunk
    }
  if (!isFinished) throw brokenOff()
}

export const brokenOff = (): AppError =>
  new AppError('provider_failed', { detail: 'The model broke off in the middle of its reply.' })

const chunkOf = (data: string): Chunk | undefined => {
  if (data.trim() === '') return undefined
  const value = parsePiece(data)
  if (!isJsonObject(value))
    throw new AppError('provider_failed', { detail: 'The model sent something that is not a reply.' })
  if (value.error) throw failureIn(value)
  return value
}

/** With the provider's own message: people need to know that a context was too long. */
const failureIn = (chunk: Chunk): AppError => {
  const said = errorOf(chunk)
  const message = said?.message?.slice(0, 300)
  return new AppError('provider_failed', {
    detail: message ? `The model broke off: ${message}` : 'The model broke off.',
    ...(said && { quoted: said.quoted }),
  })
}
