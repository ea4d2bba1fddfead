/** The two ways an expression can be wrong: as it is written, and as it meets a value. */

export class ExpressionSyntaxError extends Error {
  override readonly name = 'ExpressionSyntaxError'
  /** Counted from 1. */
  readonly line: number
  readonly column: number

  constructor(message: string, place: { line: number; column: number }) {
    super(message)
    this.line = place.line
    this.column = place.column
  }
}

/** Named as Python names them, besides LimitExceeded. */
type Kind =
  | 'TypeError'
  | 'ValueError'
  | 'KeyError'
  | 'IndexError'
  | 'ZeroDivisionError'
  | 'OverflowError'
  | 'LimitExceeded'

export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  readonly kind: Kind

  constructor(kind: Kind, message: string) {
    super(`${kind}: ${message}`)
    this.kind = kind
  }
}
