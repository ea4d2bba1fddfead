/** Scores failing filters and pauses those that keep failing, so that one costs no more than a few evaluations. Pure. */
import type { EvaluationError } from '#kernel/expressions/worker-jobs.ts'
import type { FilterFailure } from '../queries/subscriptions.ts'
import type { Decisions } from './decide.ts'

/** A filter with this score is paused. */
export const pauseAtScore = 100

/** A hundred plain errors in a row, three times out of budget, or one evaluation that had to be ended from outside. */
const scoreOf = ({ kind }: EvaluationError): number =>
  kind === 'InternalError' ? pauseAtScore : kind === 'LimitExceeded' ? 34 : 1

export interface FilterHealth {
  failures: FilterFailure[]
  /** Subscriptions whose filter did not fail. */
  healthyIds: string[]
}

/** From the decisions of one batch. */
export const assessFilters = ({ firings, refusals }: Decisions): FilterHealth => {
  const outcomes = new Map<string, { seq: number; error: EvaluationError | undefined }[]>()
  const add = (subscriptionId: string, seq: number, error: EvaluationError | undefined): void => {
    const own = outcomes.get(subscriptionId) ?? []
    outcomes.set(subscriptionId, own)
    own.push({ seq, error })
  }
  for (const { event, subscription } of firings)
    if (subscription.filterExpr !== null) add(subscription.id, event.seq, undefined)
  for (const { event, subscription, error } of refusals)
    if (subscription.filterExpr !== null) add(subscription.id, event.seq, error)

  const health: FilterHealth = { failures: [], healthyIds: [] }
  for (const [subscriptionId, own] of outcomes) {
    own.sort((one, other) => one.seq - other.seq)
    const lastSuccess = own.findLastIndex(({ error }) => error === undefined)
    const errors = own.slice(lastSuccess + 1).flatMap(({ error }) => error ?? [])
    const last = errors.at(-1)
    if (!last) health.healthyIds.push(subscriptionId)
    else
      health.failures.push({
        subscriptionId,
        score: errors.reduce((sum, error) => sum + scoreOf(error), 0),
        isReset: lastSuccess >= 0,
        lastError: last.message,
      })
  }
  return health
}
