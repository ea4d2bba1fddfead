/** Whether a failed node is tried again, and when: exponential delays with full jitter. Pure. */
import { AppError } from '#kernel/errors.ts'
import { ExpressionError, ExpressionSyntaxError } from '#kernel/expression/index.ts'
import { TemplateError } from '../graph/template.ts'

/** As a node's `retry` or the graph's `default_retry` has it. */
export interface RetryRule {
  max_attempts?: number | undefined
  initial_delay_ms?: number | undefined
  max_delay_ms?: number | undefined
}

const usual = { max_attempts: 3, initial_delay_ms: 1000, max_delay_ms: 60_000 }

export const mostAttempts = (rule: RetryRule | undefined): number => rule?.max_attempts ?? usual.max_attempts

/** A failure that says itself whether trying again can help. */
export class NodeFailure extends Error {
  readonly canRetry: boolean
  readonly retryAfterMs: number | undefined

  constructor(message: string, { canRetry, retryAfterMs }: { canRetry: boolean; retryAfterMs?: number | undefined }) {
    super(message)
    this.name = 'NodeFailure'
    this.canRetry = canRetry
    this.retryAfterMs = retryAfterMs
  }
}

const passingStatuses = new Set([408, 409, 425, 429])

/** A refusal stays a refusal, however often one asks. */
export const isPassingStatus = (status: number): boolean => status >= 500 || passingStatuses.has(status)

const never = { canRetry: false, retryAfterMs: undefined }

const judge = (problem: unknown): { canRetry: boolean; retryAfterMs: number | undefined } => {
  if (problem instanceof NodeFailure) return problem
  if (isAuthorsMistake(problem)) return never
  if (!(problem instanceof AppError)) return { canRetry: true, retryAfterMs: undefined }
  const { status, code, retryAfterSec } = problem
  return {
    canRetry: isPassingStatus(status) && code !== 'usage_limit_reached',
    retryAfterMs: retryAfterSec === undefined ? undefined : retryAfterSec * 1000,
  }
}

/** A wrong expression is as wrong the next time. */
const isAuthorsMistake = (problem: unknown): problem is Error =>
  problem instanceof ExpressionError || problem instanceof ExpressionSyntaxError || problem instanceof TemplateError

const longestMs = 86_400_000

/** Milliseconds until the next attempt; undefined when there is none. `attempt` is the one that failed, from 1. */
export const delayAfter = (
  problem: unknown,
  { attempt, rule, random }: { attempt: number; rule: RetryRule | undefined; random: () => number },
): number | undefined => {
  const { canRetry, retryAfterMs = 0 } = judge(problem)
  if (!canRetry || attempt >= mostAttempts(rule)) return undefined
  const max = rule?.max_delay_ms ?? usual.max_delay_ms
  const ceiling = Math.min(max, (rule?.initial_delay_ms ?? usual.initial_delay_ms) * 2 ** (attempt - 1))
  return Math.max(Math.round(random() * ceiling), Math.min(retryAfterMs, longestMs))
}

/** Whether its words are meant for people; all else is for the log. */
export const isExplained = (problem: unknown): problem is Error =>
  problem instanceof AppError || problem instanceof NodeFailure || isAuthorsMistake(problem)

export const sentenceOf = (problem: unknown): string =>
  isExplained(problem) ? problem.message : 'The node failed for a reason of ours. It has been logged.'
