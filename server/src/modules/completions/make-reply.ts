/** The pieces of one reply: the request goes through the pipeline, then to the model and its tools. */
import { openSpan, withSpan } from '#kernel/spans/span.ts'
import type { CompletionsContext } from './context.ts'
import { prepareRequest } from './pipeline/prepare-request.ts'
import type { PipelineRequest } from './pipeline/request.ts'
import { type Piece, runRounds } from './rounds/run-rounds.ts'

/** A failure before the piece `open` can still become an HTTP status. Sources come before the first text. */
export async function* makeReply(context: CompletionsContext, request: PipelineRequest): AsyncGenerator<Piece> {
  const { job, sources } = await withSpan(openSpan('completion request'), () => prepareRequest(context, request))
  for await (const piece of runRounds(job)) {
    yield piece
    if (piece.kind === 'open' && sources.length > 0) yield { kind: 'sources', sources }
  }
}
