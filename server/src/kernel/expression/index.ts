/**
 * Expressions in a safe part of Python: compiled once to closures, evaluated within a budget of steps and sizes, with no
 * way to anything but the values they are given. Their meaning is Python's, down to code points and rounding; what is not
 * supported is refused when the expression is written.
 */
import { Budget } from './budget.ts'
import { compileNode } from './compile.ts'
import { readSource } from './source.ts'
import { isTruthy, type Value } from './values.ts'

export { ExpressionError, ExpressionSyntaxError } from './errors.ts'
export { toJson } from './to-json.ts'
export type { Value } from './values.ts'

export interface Expression {
  /** Throws an ExpressionError. `values` is parsed JSON, in the order of the names it was compiled with. */
  evaluate(values: readonly unknown[]): Value
  /** Whether it holds. */
  test(values: readonly unknown[]): boolean
}

/** Throws an ExpressionSyntaxError that says where. */
export const compileExpression = (text: string, names: readonly string[]): Expression => {
  const source = readSource(text)
  let slots = names.length
  const run = compileNode(source.root, {
    source,
    names: new Map(names.map((name, slot) => [name, slot])),
    newSlot: () => slots++,
    depth: 0,
    compile: compileNode,
  })
  const evaluate: Expression['evaluate'] = (values) => run({ slots: [...values] as Value[], budget: new Budget() })
  return { evaluate, test: (values) => isTruthy(evaluate(values)) }
}
