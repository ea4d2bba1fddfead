/** Which failures are retried, and when: exponential delays with full jitter. Pure. */

import { ExpressionError, ExpressionSyntaxError } from '@chancery/expression'
import { AppError } from '#kernel/errors.ts'
import { isBudgetSpent } from '#kernel/meter.ts'
import { TemplateError } from '#modules/workflow-graph/index.ts'

/** As a node's `retry` or the graph's `default_retry` has it. */
export interface RetryRule {
  max_attempts?: number | undefined
  initial_delay_ms?: number | undefined
  max_delay_ms?: number | undefined
}

const defaults = { max_attempts: 3, initial_delay_ms: 1000, max_delay_ms: 60_000 }

export const maxAttempts = (rule: RetryRule | undefined): number => rule?.max_attempts ?? defaults.max_attempts

interface FailureOptions {
  canRetry: boolean
  retryAfterMs?: number | undefined
  output?: Record<string, unknown>
}

/** A failure that knows whether another attempt can help. */
export class NodeFailure extends Error {
  readonly canRetry: boolean
  readonly retryAfterMs: number | undefined
  /** The node's facts besides the message, for the nodes along `error`. */
  readonly output: Record<string, unknown> | undefined

  constructor(message: string, { canRetry, retryAfterMs, output }: FailureOptions) {
    super(message)
    this.name = 'NodeFailure'
    this.canRetry = canRetry
    this.retryAfterMs = retryAfterMs
    this.output = output
  }
}

const transientStatuses = new Set([408, 409, 425, 429])

/** Server errors and a few others may pass; a refusal is repeated however often one asks. */
export const isTransientStatus = (status: number): boolean => status >= 500 || transientStatuses.has(status)

const noRetry = { canRetry: false, retryAfterMs: undefined }

const retryInfoOf = (problem: unknown): { canRetry: boolean; retryAfterMs: number | undefined } => {
  if (problem instanceof NodeFailure) return problem
  if (isAuthorError(problem)) return noRetry
  if (!(problem instanceof AppError)) return { canRetry: true, retryAfterMs: undefined }
  const { status, retryAfterSec } = problem
  return {
    canRetry: isTransientStatus(status) && !isBudgetSpent(problem),
    retryAfterMs: retryAfterSec === undefined ? undefined : retryAfterSec * 1000,
  }
}

/** A wrong expression fails the same way each time. */
const isAuthorError = (problem: unknown): problem is Error =>
  problem instanceof ExpressionError || problem instanceof ExpressionSyntaxError || problem instanceof TemplateError

const maxRetryAfterMs = 86_400_000

/** Milliseconds until the next attempt; undefined when there is none. `attempt` is the one that failed, from 1. */
export const retryDelay = (
  problem: unknown,
  { attempt, rule, random }: { attempt: number; rule: RetryRule | undefined; random: () => number },
): number | undefined => {
  const { canRetry, retryAfterMs = 0 } = retryInfoOf(problem)
  if (!canRetry || attempt >= maxAttempts(rule)) return undefined
  const max = rule?.max_delay_ms ?? defaults.max_delay_ms
  const ceiling = Math.min(max, (rule?.initial_delay_ms ?? defaults.initial_delay_ms) * 2 ** (attempt - 1))
  return Math.max(Math.round(random() * ceiling), Math.min(retryAfterMs, maxRetryAfterMs))
}

/** True when its message is written for people; anything else goes to the log. */
export const isUserFacing = (problem: unknown): problem is Error =>
  problem instanceof AppError || problem instanceof NodeFailure || isAuthorError(problem)

export const messageFor = (problem: unknown): string =>
  isUserFacing(problem) ? problem.message : 'The node failed because of an internal error. It has been logged.'

/** Lost connections, a database that restarts, deadlocks, long waits: the same statement may succeed the next time. */
export const isTransient = (problem: unknown): boolean => {
  if (!(problem instanceof Error) || problem instanceof AppError || problem instanceof NodeFailure) return false
  const { code } = problem as { code?: unknown }
  if (typeof code !== 'string') return /connection|terminat|timeout/i.test(problem.message)
  return /^(08|25006|25P0[34]|40|53|55P03|57)/.test(code) || /^E[A-Z]+$/.test(code)
}
