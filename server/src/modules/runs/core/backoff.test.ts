/** When a failed node is tried again. */

import { ExpressionError } from '@chancery/expression'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#kernel/errors.ts'
import { TemporaryLimit } from '#kernel/meter.ts'
import { isTransient, isTransientStatus, messageFor, NodeFailure, retryDelay } from './backoff.ts'

const passing = new NodeFailure('for now', { canRetry: true })
const after = (problem: unknown, attempt = 1, rule = {}) =>
  retryDelay(problem, { attempt, rule: { ...rule }, random: () => 1 })

describe('a failed attempt', () => {
  it('is followed by another after a second, two, and none after the third', () => {
    expect([1, 2, 3].map((attempt) => after(passing, attempt))).toEqual([1000, 2000, undefined])
  })

  it('waits no longer than its rule says, whatever the attempt and the dice', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 19 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, dice) => {
        const rule = { max_attempts: 20, initial_delay_ms: 100, max_delay_ms: 5000 }
        const delay = retryDelay(passing, { attempt, rule, random: () => dice }) ?? -1
        expect(delay).toBeGreaterThanOrEqual(0)
        expect(delay).toBeLessThanOrEqual(Math.min(5000, 100 * 2 ** (attempt - 1)))
      }),
    )
  })

  it('waits as long as the other side asks, for a day at most', () => {
    const busy = (retryAfterMs: number) => new NodeFailure('busy', { canRetry: true, retryAfterMs })
    expect(after(busy(90_000))).toBe(90_000)
    expect(after(busy(Number.MAX_SAFE_INTEGER))).toBe(86_400_000)
    expect(after(new AppError('provider_busy', { retryAfterSec: 7 }))).toBe(7000)
    expect(after(new TemporaryLimit({ detail: 'Calls are running.', retryAfterSec: 10 }))).toBe(10_000)
  })

  it.each([
    new AppError('model_not_found'),
    new AppError('usage_limit_reached'),
    new AppError('node_failed'),
    new ExpressionError('KeyError', 'x'),
    new NodeFailure('no', { canRetry: false }),
  ])('is not followed by another where that cannot help: %s', (problem) => {
    expect(after(problem)).toBeUndefined()
  })

  it.each([408, 409, 425, 429, 500, 502, 503, 504])('with status %i may pass', (status) => {
    expect(isTransientStatus(status)).toBe(true)
  })
  it.each([400, 401, 403, 404, 410, 413, 422])('with status %i will not', (status) => {
    expect(isTransientStatus(status)).toBe(false)
  })

  it('tells people nothing that was not meant for them', () => {
    expect(messageFor(new Error('password of the database: x'))).not.toContain('password')
    expect(messageFor(new AppError('node_failed', { detail: 'Said so.' }))).toBe('Said so.')
  })
})

describe('a failure of the database', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code })

  it.each(['08006', '25006', '40P01', '53100', '57P01', '57014', '55P03', '25P03', '25P04', 'ECONNRESET'])(
    '%s may pass: the run waits, and is not to blame',
    (code) => {
      expect(isTransient(withCode(code))).toBe(true)
    },
  )

  it.each(['22P02', '23505', '42P01', '25001'])('%s comes again with the same statement', (code) => {
    expect(isTransient(withCode(code))).toBe(false)
  })
})
