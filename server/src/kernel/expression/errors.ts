/** The two kinds of mistakes: in the expression itself, and at evaluation. */

export class ExpressionSyntaxError extends Error {
  override readonly name = 'ExpressionSyntaxError'
  /** Counted from 1. */
  readonly line: number
  readonly column: number

  constructor(message: string, at: { line: number; column: number }) {
    super(message)
    this.line = at.line
    this.column = at.column
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
