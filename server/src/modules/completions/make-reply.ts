/** The pieces of one reply, from the pipeline's first step to the model's last word. */
import type { CompletionsContext } from './context.ts'
import { prepareRequest } from './pipeline/prepare-request.ts'
import type { PipelineRequest } from './pipeline/request.ts'
import { type Piece, runRounds } from './rounds/run-rounds.ts'

/** Whatever fails before the piece `open` has a status of its own. Sources come before the first word. */
export async function* makeReply(context: CompletionsContext, request: PipelineRequest): AsyncGenerator<Piece> {
  const { job, sources } = await prepareRequest(context, request)
  for await (const piece of runRounds(job)) {
    yield piece
    if (piece.kind === 'open' && sources.length > 0) yield { kind: 'sources', sources }
  }
}
