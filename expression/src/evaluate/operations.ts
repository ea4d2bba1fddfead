/** Operators: not, minus, and chains of and, or, comparisons and arithmetic. */
import type { SyntaxNode } from '@lezer/common'
import { binaryOperators } from '../functions/operators.ts'
import type { Budget } from '../limits/budget.ts'
import { ExpressionError } from '../limits/errors.ts'
import { childrenOf } from '../syntax/source.ts'
import { contains, isEqual, isIdentical, isOrdered, type Ordering } from '../values/compare.ts'
import { negate } from '../values/numbers.ts'
import { isNumber, isTruthy, typeName, type Value } from '../values/values.ts'
import type { Compile, Evaluate, Scope } from './scope.ts'

export const compileUnary: Compile = (node, scope) => {
  const [operator, operand] = childrenOf(node)
  if (!operator || !operand) return scope.source.refuse(node, 'Something is missing here.')
  const symbol = scope.source.textOf(operator)
  const inner = scope.compile(operand, scope)
  if (symbol === 'not') return (frame) => !isTruthy(inner(frame))
  if (symbol !== '-' && symbol !== '+') return scope.source.refuse(operator, `The operator ${symbol} is not allowed.`)
  return (frame) => {
    const value = inner(frame)
    if (!isNumber(value))
      throw new ExpressionError('TypeError', `bad operand type for unary ${symbol}: '${typeName(value)}'`)
    return symbol === '-' ? negate(value) : negate(negate(value))
  }
}

interface Operation {
  operator: string
  right: SyntaxNode
}
type Family = 'or' | 'and' | 'compare' | 'arithmetic'

export const comparisons = ['<', '>', '<=', '>=', '==', '!=', 'in', 'not in', 'is', 'is not']

const familyOf = (operator: string): Family | undefined => {
  if (operator === 'or' || operator === 'and') return operator
  if (comparisons.includes(operator)) return 'compare'
  return Object.hasOwn(binaryOperators, operator) ? 'arithmetic' : undefined
}

const operationOf = (node: SyntaxNode, { source }: Scope): Operation & { left: SyntaxNode; family: Family } => {
  const parts = childrenOf(node)
  const left = parts[0]
  const right = parts[parts.length - 1]
  const operator = parts
    .slice(1, -1)
    .map((part) => source.textOf(part))
    .join(' ')
  const family = familyOf(operator)
  if (!left || !right || !family) return source.refuse(parts[1] ?? node, `The operator ${operator} is not allowed.`)
  return { left, operator, right, family }
}

/** `a + b - c` and `a < b < c` are left-nested; unrolled here, so that a long chain is not a deep one. */
export const compileBinary: Compile = (node, scope) => {
  const operations: Operation[] = []
  let first = node
  let family: Family | undefined
  while (first.name === 'BinaryExpression') {
    const found = operationOf(first, scope)
    if (family !== undefined && found.family !== family) break
    family = found.family
    operations.unshift(found)
    first = found.left
  }
  const start = scope.compile(first, scope)
  const rest = operations.map(({ operator, right }) => ({ operator, right: scope.compile(right, scope) }))
  if (family === 'and' || family === 'or') return shortCircuit(family, start, rest)
  return family === 'compare' ? comparisonChain(start, rest) : arithmeticChain(start, rest)
}

interface Step {
  operator: string
  right: Evaluate
}

/** Returns the operand that decided, as in Python. */
const shortCircuit = (family: 'and' | 'or', start: Evaluate, rest: readonly Step[]): Evaluate => {
  const goesOnWhen = family === 'and'
  return (frame) => {
    let value = start(frame)
    for (const { right } of rest) {
      if (isTruthy(value) !== goesOnWhen) return value
      value = right(frame)
    }
    return value
  }
}

const arithmeticChain = (start: Evaluate, rest: readonly Step[]): Evaluate => {
  const steps = rest.map(({ operator, right }) => ({ operate: binaryOperators[operator], right }))
  return (frame) => {
    let value = start(frame)
    for (const { operate, right } of steps) value = operate?.(value, right(frame), frame.budget) ?? null
    return value
  }
}

const compare = (left: Value, operator: string, right: Value, budget: Budget): boolean => {
  if (operator === '==') return isEqual(left, right, budget)
  if (operator === '!=') return !isEqual(left, right, budget)
  if (operator === 'in') return contains(right, left, budget)
  if (operator === 'not in') return !contains(right, left, budget)
  if (operator === 'is') return isIdentical(left, right, budget)
  if (operator === 'is not') return !isIdentical(left, right, budget)
  return isOrdered(left, operator as Ordering, right, budget)
}

const comparisonChain =
  (start: Evaluate, rest: readonly Step[]): Evaluate =>
  (frame) => {
    let left = start(frame)
    for (const { operator, right } of rest) {
      const value = right(frame)
      if (!compare(left, operator, value, frame.budget)) return false
      left = value
    }
    return true
  }
