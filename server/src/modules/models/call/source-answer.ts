/** Turns the text or chunks of a model that is code into what a provider would have sent. */
import { Readable } from 'node:stream'
import { flowOf } from '#kernel/bytes/byte-flow.ts'
import type { DriverAnswer } from '../drivers/driver.ts'
import type { ModelCall } from '../interface.ts'
import {
  type ChunkHead,
  chunkOf,
  completionOf,
  doneFrame,
  frameOf,
  usageChunkOf,
  usageOf,
} from '../stream/completion-format.ts'
import { promptTokensOf, readUsage, tokensOf } from '../stream/estimate.ts'

type Piece = string | Record<string, unknown>

export const answerOf = async (
  pieces: AsyncIterable<Piece>,
  head: ChunkHead,
  { body }: ModelCall,
): Promise<DriverAnswer> => {
  const promptTokens = promptTokensOf(body.messages)
  if (body.stream === true) return { kind: 'stream', flow: flowOf(Readable.from(framesOf(pieces, head, promptTokens))) }
  let text = ''
  let usage: unknown
  for await (const piece of pieces) {
    text += textOf(piece)
    if (typeof piece !== 'string') usage = piece.usage ?? usage
  }
  const counted = readUsage(usage) ?? { promptTokens, completionTokens: tokensOf(text.length) }
  const completion = completionOf(head, text, usageOf(counted.promptTokens, counted.completionTokens))
  return { kind: 'whole', completion }
}

async function* framesOf(pieces: AsyncIterable<Piece>, head: ChunkHead, promptTokens: number): AsyncGenerator<Buffer> {
  let length = 0
  let hasUsage = false
  let hasFinished = false
  yield bytesOf(chunkOf(head, { role: 'assistant', content: '' }))
  for await (const piece of pieces) {
    length += textOf(piece).length
    if (typeof piece !== 'string') {
      hasUsage ||= readUsage(piece.usage) !== undefined
      hasFinished ||= firstChoice(piece)?.finish_reason != null
    }
    yield bytesOf(typeof piece === 'string' ? chunkOf(head, { content: piece }) : { ...chunkOf(head, {}), ...piece })
  }
  if (!hasFinished) yield bytesOf(chunkOf(head, {}, 'stop'))
  if (!hasUsage) yield bytesOf(usageChunkOf(head, usageOf(promptTokens, tokensOf(length))))
  yield Buffer.from(doneFrame)
}

const bytesOf = (chunk: unknown): Buffer => Buffer.from(frameOf(chunk))

interface Choice {
  delta?: { content?: unknown }
  finish_reason?: unknown
}

const firstChoice = (chunk: Record<string, unknown>): Choice | undefined =>
  Array.isArray(chunk.choices) ? (chunk.choices[0] as Choice | undefined) : undefined

const textOf = (piece: Piece): string => {
  if (typeof piece === 'string') return piece
  const content = firstChoice(piece)?.delta?.content
  return typeof content === 'string' ? content : ''
}
