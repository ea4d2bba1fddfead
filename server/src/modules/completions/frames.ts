/** Chunks as server-sent events of the chat-completion API. JSON has no raw line breaks, so one `data:` line is enough. */
import type { AppError } from '#kernel/errors.ts'
import { asAppError } from '#kernel/http/replies/error-reply.ts'
import { errorFacts } from './error-shape.ts'
import { type Chunk, headOf } from './rounds/chunk.ts'
import type { Piece } from './rounds/run-rounds.ts'

export const doneFrame = 'data: [DONE]\n\n'

const dataFrame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** For a reply whose headers are already sent. */
export const errorFrame = (error: AppError): string => dataFrame({ error: errorFacts(error) })

/** A failure becomes a frame of its own, and the stream still ends with `[DONE]`. */
export async function* framesOf(chunks: AsyncIterable<Chunk>): AsyncGenerator<string> {
  try {
    for await (const chunk of chunks) yield dataFrame(chunk)
  } catch (problem) {
    yield errorFrame(asAppError(problem))
  }
  yield doneFrame
}

/** The chunks that a caller sees of a reply's pieces. */
export async function* chunksOf(
  pieces: AsyncIterable<Piece>,
  { wantsUsage }: { wantsUsage: boolean },
): AsyncGenerator<Chunk> {
  for await (const piece of pieces) {
    if (piece.kind === 'chunk') yield piece.chunk
    else if (piece.kind === 'sources') yield { sources: piece.sources }
    else if (piece.kind === 'usage' && wantsUsage) yield { ...headOf(piece.like), choices: [], usage: piece.usage }
  }
}
