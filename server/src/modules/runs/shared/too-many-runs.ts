import { NodeFailure } from '../core/backoff.ts'

/** Of a tree that has as many runs as it may have. */
export const tooManyRuns = (max: number): NodeFailure =>
  new NodeFailure(`One run may start ${max} others, with those that they start in turn, and no more.`, {
    canRetry: false,
    output: { code: 'too_many_runs' },
  })
