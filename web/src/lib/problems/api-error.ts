/** The error of a call, with the message from the server's error body, or our own if the server didn't answer. */
import type { FieldProblem } from '@chancery/contract/errors.ts'
import { readRefusal, requestIdOf } from '@chancery/contract/reading/error-reply.ts'
import { problemSentence } from './problem-lines.ts'

interface ErrorFacts {
  status: number
  code: string
  sentence: string
  requestId?: string | undefined
  problems?: FieldProblem[] | undefined
  retryAfterSec?: number | undefined
}

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly problems: FieldProblem[]
  readonly retryAfterSec: number | undefined

  constructor(facts: ErrorFacts) {
    super(facts.sentence)
    this.name = 'ApiError'
    this.status = facts.status
    this.code = facts.code
    this.requestId = facts.requestId
    this.problems = facts.problems ?? []
    this.retryAfterSec = facts.retryAfterSec
  }
}

/** No reply, or one from a proxy whose server is down: worth a retry, and not the user's fault. */
export const isAway = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'unreachable' || error.status === 502 || error.status === 503)

/** The server rejected single fields, and the form shows each problem at its field. */
export const hasFieldProblems = (error: unknown): boolean => error instanceof ApiError && error.problems.length > 0

/** This session has still to show a second factor. */
export const lacksFactor = (error: unknown): boolean => error instanceof ApiError && error.code === 'factor_required'

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.code === 'not_authenticated'

export const unreachable = () =>
  new ApiError({
    status: 0,
    code: 'unreachable',
    sentence: 'Couldn’t reach the server. Check your connection and try again.',
  })

export const unexpectedReply = (status: number, requestId?: string) =>
  new ApiError({
    status,
    code: 'unexpected_reply',
    sentence: 'The server sent an unexpected reply. Try again, or reload the page.',
    requestId,
  })

export async function errorOf(reply: Response): Promise<ApiError> {
  const refusal = await readRefusal(reply)
  if (!refusal) return unexpectedReply(reply.status, requestIdOf(reply))
  return new ApiError({ ...refusal, sentence: refusal.sentence ?? problemSentence(refusal.problems) })
}
