/** Server-sent events in the words of the chat-completion API. JSON has no raw line breaks, so one `data:` line is enough. */
import type { AppError } from '#kernel/errors.ts'
import { asAppError } from '#kernel/http/error-reply.ts'
import { errorFacts } from './error-shape.ts'
import { ReaderTooSlow } from './replies/reader-queue.ts'
import { headOf } from './rounds/chunk.ts'
import type { Piece } from './rounds/run-rounds.ts'

export const doneFrame = 'data: [DONE]\n\n'

export const dataFrame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** For a reply whose head is out already. */
export const errorFrame = (error: AppError): string => dataFrame({ error: errorFacts(error) })

/** A failure becomes a frame of its own, and the stream still ends as it should. */
export async function* framesOf(
  pieces: AsyncIterable<Piece>,
  { wantsUsage }: { wantsUsage: boolean },
): AsyncGenerator<string> {
  try {
    for await (const piece of pieces) {
      const frame = frameOf(piece, wantsUsage)
      if (frame) yield frame
    }
  } catch (problem) {
    if (problem instanceof ReaderTooSlow) throw problem
    yield errorFrame(asAppError(problem))
  }
  yield doneFrame
}

const frameOf = (piece: Piece, wantsUsage: boolean): string | undefined => {
  if (piece.kind === 'chunk') return dataFrame(piece.chunk)
  if (piece.kind === 'sources') return dataFrame({ sources: piece.sources })
  if (piece.kind === 'usage' && wantsUsage) return dataFrame({ ...headOf(piece.like), choices: [], usage: piece.usage })
  return undefined
}
