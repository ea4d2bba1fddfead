/** The two kinds of mistakes: in the expression itself, and at evaluation. */

export class ExpressionSyntaxError extends Error {
  override readonly name = 'ExpressionSyntaxError'
  /** Counted from 1. */
  readonly line: number
  readonly column: number
  /** The name that isn't known, where that is the mistake. */
  readonly unknownName: string | undefined

  constructor(message: string, at: { line: number; column: number; unknownName?: string | undefined }) {
    super(message)
    this.line = at.line
    this.column = at.column
    this.unknownName = at.unknownName
  }
}

/** Python's names, plus LimitExceeded, and InternalError for a mistake of the evaluator itself. */
export type ErrorKind =
  | 'TypeError'
  | 'ValueError'
  | 'KeyError'
  | 'IndexError'
  | 'ZeroDivisionError'
  | 'OverflowError'
  | 'LimitExceeded'
  | 'InternalError'

export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  readonly kind: ErrorKind

  constructor(kind: ErrorKind, message: string) {
    super(`${kind}: ${message}`)
    this.kind = kind
  }
}
