/** Counts a call of an engine that isn't a chat model (images, speech, vectors) like the call of a model. */
import { AppError } from '#kernel/errors.ts'
import type { Meter, Payer } from '#kernel/meter.ts'
import { believableUsage } from '../stream/believable-usage.ts'
import { readUsage, type TokenCounts } from '../stream/estimate.ts'
import { isUnreachable } from '../stream/provider-errors.ts'

export interface CountedCall {
  payer: Payer
  /** As reports name it. */
  model: string
  /** The usage where the engine doesn't state it. */
  usual: TokenCounts
  /** The most that is expected: held for the call, and its usage where the engine was asked and nobody knows what it did. */
  estimate: number
  /** A further call for the same request: it is not another one of the requests per minute. */
  isContinued?: boolean
  signal: AbortSignal
}

/** Once the engine has answered, with its report if there is one: it may charge even if the result doesn't reach us. */
export type OnSpent = (usage?: unknown) => void

/** No picture, recording or batch of texts costs more, whatever an engine tells. */
const most = { promptTokens: () => 1_000_000, completionTokens: () => 1_000_000 }

/** Throws `usage_limit_reached`, and what the call throws. A call that was given up while it ran counts as spent. */
export const countCall = async <Result>(
  meter: Meter,
  { payer, model, usual, estimate, isContinued, signal }: CountedCall,
  call: (onSpent: OnSpent) => Promise<Result>,
): Promise<Result> => {
  // Its size can't be lowered, and it is small: the last one may take more than is left, where a file would never fit.
  const wanted = { least: 1, most: Math.max(1, estimate) }
  const reservation = await meter.reserve(payer, () => wanted, { isContinued })
  let used: TokenCounts | undefined
  const record = (failed: boolean) =>
    meter.record(payer, { model, ...(used ?? { promptTokens: 0, completionTokens: 0 }), failed }, reservation)
  try {
    const result = await call((usage) => {
      const told = readUsage(usage)
      used = told ? believableUsage(told, most, () => usual) : usual
    })
    record(false)
    return result
  } catch (problem) {
    const { promptTokens } = usual
    if (signal.aborted || isLost(problem)) used ??= { promptTokens, completionTokens: estimate - promptTokens }
    record(!signal.aborted)
    throw problem
  }
}

/** The engine was asked, and what it did is not known. */
const isLost = (problem: unknown): boolean => {
  if (!(problem instanceof Error)) return false
  if (!(problem instanceof AppError)) return isLost(problem.cause)
  const isCut = problem.code === 'outbound_timeout' || (problem.code === 'outbound_failed' && !isUnreachable(problem))
  return isCut || isLost(problem.cause)
}
