/** A subscription's filter: a Python expression over `payload` and `event`. */
import { AppError } from '#kernel/errors.ts'
import { compileExpression, type Expression, ExpressionError, ExpressionSyntaxError } from '#kernel/expression/index.ts'
import type { StoredEvent } from './face.ts'
import { presentEvent } from './present.ts'

const names = ['payload', 'event'] as const

/** Throws `filter_invalid` with line and column if the filter does not compile. */
export const checkFilter = (text: string | null): void => {
  if (text === null) return
  try {
    compileExpression(text, names)
  } catch (problem) {
    if (!(problem instanceof ExpressionSyntaxError)) throw problem
    const { line, column, message } = problem
    const msg = `Line ${line}, column ${column}: ${message}`
    throw new AppError('filter_invalid', {
      problems: [{ loc: ['body', 'filter_expr'], type: 'expression_syntax', line, column, msg }],
    })
  }
}

/** The values of `names`, built once per event for all its subscriptions. */
export const filterValues = (event: StoredEvent): readonly unknown[] => {
  const fields = presentEvent(event)
  return [event.payload, { ...fields, id: fields.event_id, type: fields.event_type }]
}

export type Verdict = { holds: boolean } | { error: string }

export type Filter = (values: readonly unknown[]) => Verdict

export const compileFilter = (text: string): Filter => {
  let expression: Expression
  try {
    expression = compileExpression(text, names)
  } catch (problem) {
    // Another release accepted this filter, this one doesn't.
    const error = (problem as Error).message
    return () => ({ error })
  }
  return (values) => {
    try {
      return { holds: expression.test(values) }
    } catch (problem) {
      if (problem instanceof ExpressionError) return { error: problem.message }
      throw problem
    }
  }
}
