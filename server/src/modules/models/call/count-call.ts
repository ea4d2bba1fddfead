/** Counts a call of an engine that isn't a chat model (images, speech, vectors) like the call of a model. */
import { AppError } from '#kernel/errors.ts'
import type { Meter, Payer } from '#kernel/meter.ts'
import { readUsage, type TokenCounts } from '../stream/estimate.ts'

export interface CountedCall {
  payer: Payer
  /** As reports name it. */
  model: string
  /** The usage where the engine doesn't state it. */
  usual: TokenCounts
  /** The estimate for limits, before anything is asked. Without it the call is counted, but never refused. */
  estimate?: number
  /** A further call for the same request: it is not another one of the requests per minute. */
  isContinued?: boolean
  signal: AbortSignal
}

/** Once the engine has answered, with its report if there is one: it may charge even if the result doesn't reach us. */
export type OnSpent = (usage?: unknown) => void

/** Throws `usage_limit_reached`, and what the call throws. A call that was given up while it ran counts as spent. */
export const countCall = async <Result>(
  meter: Meter,
  { payer, model, usual, estimate, isContinued, signal }: CountedCall,
  call: (onSpent: OnSpent) => Promise<Result>,
): Promise<Result> => {
  const reservation = estimate === undefined ? undefined : await meter.reserve(payer, () => estimate, { isContinued })
  let used: TokenCounts | undefined
  const record = (failed: boolean) =>
    meter.record(payer, { model, ...(used ?? { promptTokens: 0, completionTokens: 0 }), failed }, reservation)
  try {
    const result = await call((usage) => {
      used = readUsage(usage) ?? usual
    })
    record(false)
    return result
  } catch (problem) {
    if (signal.aborted || isTimeout(problem)) used ??= usual
    record(!signal.aborted)
    throw problem
  }
}

const isTimeout = (problem: unknown): boolean =>
  problem instanceof AppError && (problem.code === 'outbound_timeout' || isTimeout(problem.cause))
