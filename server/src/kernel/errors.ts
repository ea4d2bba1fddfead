/** The one error that carries meaning to a client. Everything else that is thrown becomes `internal_error`. */
import { type ErrorCode, type ErrorKind, errorTable, type FieldProblem } from '@chancery/contract/errors.ts'

interface Options {
  /** Replaces the table's sentence where the case knows more; never holds a secret, a path or SQL. */
  detail?: string
  /** Field by field, for `validation_failed`. */
  problems?: FieldProblem[]
  /** Sent as `Retry-After` with 429 and 503. */
  retryAfterSec?: number
  /** Another server's answer, for callers that read its own code. */
  quoted?: QuotedError
  cause?: unknown
}

/** The parts of another server's error that are meant for our caller. */
export interface QuotedError {
  /** Replaces the table's status. */
  status?: number
  code?: string
  param?: string
  type?: string
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly kind: ErrorKind
  readonly problems: FieldProblem[] | undefined
  readonly retryAfterSec: number | undefined
  readonly quoted: QuotedError | undefined

  constructor(code: ErrorCode, options: Options = {}) {
    const entry = errorTable[code]
    super(options.detail ?? entry.sentence, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = options.quoted?.status ?? entry.status
    this.kind = entry.kind
    this.problems = options.problems
    this.retryAfterSec = options.retryAfterSec
    this.quoted = options.quoted
  }
}
