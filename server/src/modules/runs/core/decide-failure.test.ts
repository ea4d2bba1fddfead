/** The decision after a failure, whatever its cause and the node's settings. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NodeFailure } from './backoff.ts'
import { decideFailure, failureOfInterrupted } from './decide-failure.ts'

const anyAttempt = fc.record({
  attempt: fc.integer({ min: 1, max: 30 }),
  rule: fc.option(fc.record({ max_attempts: fc.integer({ min: 1, max: 20 }) }), { nil: undefined }),
  onError: fc.constantFrom('fail', 'continue', undefined),
})
const decide = (canRetry: boolean, attempt: Omit<Parameters<typeof decideFailure>[1], 'random'>) =>
  decideFailure(new NodeFailure('no', { canRetry }), { ...attempt, random: () => 1 }).kind

describe('a failed attempt', () => {
  it('is followed by another exactly while that can help and attempts are left', () => {
    fc.assert(
      fc.property(fc.boolean(), anyAttempt, (canRetry, attempt) => {
        const isLeft = attempt.attempt < (attempt.rule?.max_attempts ?? 3)
        expect(decide(canRetry, attempt) === 'retry').toBe(canRetry && isLeft)
      }),
    )
  })

  it('that is the last fails the run, unless the node says to continue', () => {
    fc.assert(
      fc.property(anyAttempt, (attempt) => {
        expect(decide(false, attempt)).toBe(attempt.onError === 'continue' ? 'continue' : 'fail')
      }),
    )
  })
})

describe('an interrupted attempt', () => {
  it('is repeated ten times at most', () => {
    const failures = Array.from({ length: 12 }, (_, index) =>
      failureOfInterrupted({ canRunAgain: true, interruptions: index + 1 }),
    )
    expect(failures.findIndex((failure) => failure !== undefined)).toBe(9)
  })

  it('of a node that may run only once is never repeated, and its error says what is not known', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (interruptions) => {
        expect(failureOfInterrupted({ canRunAgain: false, interruptions })?.message).toMatch(/whether it finished/)
      }),
    )
  })
})
