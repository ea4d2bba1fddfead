/** What a call fails with: the server's refusal, with its code, or that there was no reply that we understand. */
import type { ErrorCode, FieldProblem } from '@chancery/contract/errors.ts'
import { readRefusal, requestIdOf } from '@chancery/contract/reading/error-reply.ts'

/**
 * The codes of this package. `unexpected_reply`: something else answered, or a server of another version.
 * `stream_failed`: the reply had begun when it failed.
 */
export type LocalCode = 'unreachable' | 'unexpected_reply' | 'redirected' | 'stream_failed'

interface Facts {
  status: number
  code: string
  sentence: string
  problems?: FieldProblem[] | undefined
  requestId?: string | undefined
  retryAfterSec?: number | undefined
  cause?: unknown
}

export class ApiError extends Error {
  /** 0 where there was no reply. */
  readonly status: number
  /** One of docs/ERRORS.md, or a `LocalCode`. A server that is newer may have more. */
  readonly code: string
  readonly problems: readonly FieldProblem[]
  readonly requestId: string | undefined
  readonly retryAfterSec: number | undefined

  constructor({ status, code, sentence, problems = [], requestId, retryAfterSec, cause }: Facts) {
    super(sentence, { cause })
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.problems = problems
    this.requestId = requestId
    this.retryAfterSec = retryAfterSec
  }

  is(...codes: (ErrorCode | LocalCode)[]): boolean {
    return (codes as string[]).includes(this.code)
  }
}

const problemLine = ({ loc, msg }: FieldProblem): string => `${loc.join('.')}: ${msg}`

export const errorOf = async (reply: Response): Promise<ApiError> => {
  const refusal = await readRefusal(reply)
  if (!refusal) return unexpectedReply(reply)
  const { sentence = refusal.problems.map(problemLine).join('; '), ...facts } = refusal
  return new ApiError({ ...facts, sentence })
}

export const unexpectedReply = (reply: Response, cause?: unknown): ApiError =>
  new ApiError({
    status: reply.status,
    code: 'unexpected_reply',
    sentence: `The server's reply (status ${reply.status}) isn't what this version of the client knows. Check the address, and that server and client have the same version.`,
    requestId: requestIdOf(reply),
    cause,
  })

export const redirected = (reply: Response): ApiError => {
  const to = reply.headers.get('location')
  const sentence = `The server sends this call to another address${to === null ? '' : ` (${to})`}. Use that address instead.`
  return new ApiError({ status: reply.status, code: 'redirected', sentence })
}

export const unreachable = (origin: string, cause: unknown): ApiError => {
  const { cause: reason } = cause as { cause?: { code?: unknown } }
  const why = typeof reason?.code === 'string' ? ` (${reason.code})` : ''
  return new ApiError({ status: 0, code: 'unreachable', sentence: `Couldn't reach ${origin}${why}.`, cause })
}
