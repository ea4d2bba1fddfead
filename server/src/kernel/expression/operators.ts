/** The binary operators: on numbers, and on strings, lists and sets where Python has them. */
import type { Budget } from './budget.ts'
import { ExpressionError } from './errors.ts'
import { add, asInt, divide, floorDivide, modulo, multiply, type PyNumber, power, subtract } from './numbers.ts'
import { isInt, isList, isNumber, PySet, PyTuple, typeName, type Value } from './values.ts'

export type BinaryOperator = (left: Value, right: Value, budget: Budget) => Value

const unsupported = (symbol: string, left: Value, right: Value): never => {
  throw new ExpressionError(
    'TypeError',
    `unsupported operand type(s) for ${symbol}: '${typeName(left)}' and '${typeName(right)}'`,
  )
}

const onNumbers =
  (symbol: string, operate: (left: PyNumber, right: PyNumber) => Value): BinaryOperator =>
  (left, right) =>
    isNumber(left) && isNumber(right) ? operate(left, right) : unsupported(symbol, left, right)

const plus: BinaryOperator = (left, right, budget) => {
  if (isNumber(left) && isNumber(right)) return add(left, right)
  if (typeof left === 'string' && typeof right === 'string') {
    budget.allowText(left.length + right.length)
    return left + right
  }
  if (isList(left) && isList(right)) return joined(left, right, budget)
  if (left instanceof PyTuple && right instanceof PyTuple) return new PyTuple(joined(left.items, right.items, budget))
  if (typeof left === 'string')
    throw new ExpressionError('TypeError', `can only concatenate str (not "${typeName(right)}") to str`)
  return unsupported('+', left, right)
}

const joined = (left: readonly Value[], right: readonly Value[], budget: Budget): Value[] => {
  budget.allowElements(left.length + right.length)
  budget.spend(left.length + right.length)
  return [...left, ...right]
}

const minus: BinaryOperator = (left, right, budget) => {
  if (!(left instanceof PySet && right instanceof PySet)) return onNumbers('-', subtract)(left, right, budget)
  budget.spend(left.members.size)
  const rest = new PySet()
  for (const [hash, member] of left.members) if (!right.members.has(hash)) rest.add(member)
  return rest
}

const times: BinaryOperator = (left, right, budget) => {
  if (isNumber(left) && isNumber(right)) return multiply(left, right)
  if (isInt(right)) return repeated(left, right, budget) ?? unsupported('*', left, right)
  return (isInt(left) ? repeated(right, left, budget) : undefined) ?? unsupported('*', left, right)
}

const repeated = (value: Value, count: number | bigint | boolean, budget: Budget): Value | undefined => {
  const times = Math.max(0, Number(asInt(count)))
  if (typeof value === 'string') {
    budget.allowText(value.length * times)
    return value.repeat(value === '' ? 0 : times)
  }
  const items = isList(value) ? value : value instanceof PyTuple ? value.items : undefined
  if (!items) return undefined
  budget.allowElements(items.length * times)
  budget.spend(items.length * times)
  const list = items.length === 0 ? [] : Array.from({ length: times }, () => items).flat(1)
  return isList(value) ? (list as Value[]) : new PyTuple(list as Value[])
}

const percent: BinaryOperator = (left, right, budget) => {
  if (typeof left === 'string')
    throw new ExpressionError('TypeError', 'formatting with % is not supported, use an f-string')
  return onNumbers('%', modulo)(left, right, budget)
}

export const binaryOperators: Record<string, BinaryOperator> = {
  '+': plus,
  '-': minus,
  '*': times,
  '/': onNumbers('/', divide),
  '//': onNumbers('//', floorDivide),
  '%': percent,
  '**': onNumbers('** or pow()', power),
}
