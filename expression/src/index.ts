/**
 * Expressions in a safe subset of Python: compiled once to closures, evaluated within a budget of steps and sizes, with
 * access to nothing but the values they are given. Semantics are Python's, down to code points and rounding; unsupported
 * syntax is refused when the expression is saved.
 */

import { compileNode } from './evaluate/compile.ts'
import { deriveValue, type Name } from './evaluate/names.ts'
import { Budget } from './limits/budget.ts'
import { readSource } from './syntax/source.ts'
import { isTruthy, type Value } from './values/values.ts'

export type { Name } from './evaluate/names.ts'
export { toJson } from './format/to-json.ts'
export { suggestable } from './functions/near-name.ts'
export { Budget } from './limits/budget.ts'
export { type ErrorKind, ExpressionError, ExpressionSyntaxError } from './limits/errors.ts'
export { readPaths } from './syntax/read-paths.ts'
export type { Value } from './values/values.ts'

export interface Expression {
  /**
   * Throws an ExpressionError. `values` is parsed JSON, in the order of the own names it was compiled with. A
   * caller that gives a budget of its own knows afterwards how many steps it cost.
   */
  evaluate(values: readonly unknown[], budget?: Budget): Value
  /** True when it holds. */
  test(values: readonly unknown[], budget?: Budget): boolean
}

/** Throws an ExpressionSyntaxError with line and column. */
export const compileExpression = (text: string, names: readonly Name[]): Expression => {
  const source = readSource(text)
  const own = names.filter((name) => typeof name === 'string')
  const others = names.filter((name) => typeof name !== 'string')
  let slots = own.length
  const run = compileNode(source.root, {
    source,
    names: new Map(own.map((name, slot) => [name, slot])),
    derived: new Map(others.map((one) => [one.name, deriveValue(one, own.indexOf(one.of))])),
    suggested: [...own, ...others.filter(({ isOld }) => !isOld).map(({ name }) => name)],
    newSlot: () => slots++,
    depth: 0,
    compiled: { nodes: 0 },
    compile: compileNode,
  })
  const evaluate: Expression['evaluate'] = (values, budget = new Budget()) =>
    run({ slots: [...values] as Value[], budget })
  return { evaluate, test: (values, budget) => isTruthy(evaluate(values, budget)) }
}
