/** The error of a call, with the message from the server's error body, or our own if the server didn't answer. */
import type { FieldProblem } from '@chancery/contract/errors.ts'
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

/** Parses an error reply by hand: the schema library is too large for the first page, and this must never throw. */
export async function errorOf(reply: Response): Promise<ApiError> {
  const headerId = reply.headers.get('x-request-id') ?? undefined
  const body: unknown = await reply.json().catch(() => undefined)
  if (!isErrorBody(body)) return unexpectedReply(reply.status, headerId)
  const retryAfter = Number(reply.headers.get('retry-after') ?? Number.NaN)
  const problems = Array.isArray(body.detail) ? body.detail.filter(isFieldProblem) : []
  return new ApiError({
    status: reply.status,
    code: body.code,
    sentence: typeof body.detail === 'string' ? body.detail : problemSentence(problems),
    requestId: body.request_id ?? headerId,
    problems,
    retryAfterSec: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isErrorBody = (value: unknown): value is { detail: unknown; code: string; request_id?: string } =>
  isObject(value) && typeof value.code === 'string' && 'detail' in value

const isFieldProblem = (value: unknown): value is FieldProblem =>
  isObject(value) && Array.isArray(value.loc) && typeof value.msg === 'string'
