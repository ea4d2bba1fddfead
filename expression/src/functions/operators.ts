/** The binary operators: on numbers, and on strings, lists and sets where Python has them. */

import { formatPercent } from '../format/format.ts'
import type { Budget } from '../limits/budget.ts'
import { ExpressionError } from '../limits/errors.ts'
import {
  add,
  asInt,
  divide,
  floorDivide,
  int,
  largeSteps,
  limited,
  modulo,
  multiply,
  type PyNumber,
  power,
  powerSteps,
  subtract,
} from '../values/numbers.ts'
import { isInt, isList, isNumber, PySet, PyTuple, typeName, type Value } from '../values/values.ts'

export type BinaryOperator = (left: Value, right: Value, budget: Budget) => Value

const unsupported = (symbol: string, left: Value, right: Value): never => {
  throw new ExpressionError(
    'TypeError',
    `unsupported operand type(s) for ${symbol}: '${typeName(left)}' and '${typeName(right)}'`,
  )
}

const onNumbers =
  (
    symbol: string,
    operate: (left: PyNumber, right: PyNumber) => Value,
    stepsOf: (left: PyNumber, right: PyNumber) => number = largeSteps,
  ): BinaryOperator =>
  (left, right, budget) => {
    if (!isNumber(left) || !isNumber(right)) return unsupported(symbol, left, right)
    budget.spend(stepsOf(left, right))
    return operate(left, right)
  }

const added = onNumbers('+', add)
const subtracted = onNumbers('-', subtract)
const multiplied = onNumbers('*', multiply)
const remaining = onNumbers('%', modulo)

const plus: BinaryOperator = (left, right, budget) => {
  if (isNumber(left) && isNumber(right)) return added(left, right, budget)
  if (typeof left === 'string' && typeof right === 'string') {
    budget.buildText(left.length + right.length)
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
  if (!(left instanceof PySet && right instanceof PySet)) return subtracted(left, right, budget)
  budget.spend(left.members.size)
  const rest = new PySet()
  for (const [hash, member] of left.members) if (!right.members.has(hash)) rest.members.set(hash, member)
  return rest
}

const times: BinaryOperator = (left, right, budget) => {
  if (isNumber(left) && isNumber(right)) return multiplied(left, right, budget)
  if (isInt(right)) return repeated(left, right, budget) ?? unsupported('*', left, right)
  return (isInt(left) ? repeated(right, left, budget) : undefined) ?? unsupported('*', left, right)
}

const repeated = (value: Value, count: number | bigint | boolean, budget: Budget): Value | undefined => {
  const items = isList(value) ? value : value instanceof PyTuple ? value.items : undefined
  if (!items && typeof value !== 'string') return undefined
  const times = repetitions(count)
  if (typeof value === 'string') {
    budget.buildText(value.length * times)
    return value === '' ? '' : value.repeat(times)
  }
  if (!items) return undefined
  budget.allowElements(items.length * times)
  budget.spend(items.length * times)
  const list = items.length === 0 ? [] : Array.from({ length: times }, () => items).flat(1)
  return isList(value) ? (list as Value[]) : new PyTuple(list as Value[])
}

/** As in Python, a count that no index can hold is an error, also for an empty list. */
const repetitions = (count: number | bigint | boolean): number => {
  const whole = asInt(count) ?? 0
  if (whole > maxIndex || whole < -maxIndex)
    throw new ExpressionError('OverflowError', "cannot fit 'int' into an index-sized integer")
  return Math.max(0, Number(whole))
}

const maxIndex = 2n ** 63n - 1n

const percent: BinaryOperator = (left, right, budget) =>
  typeof left === 'string' ? formatPercent(left, right, budget) : remaining(left, right, budget)

type Bitwise = '&' | '|' | '^'

/** On ints, bools and sets. */
const bitwise =
  (symbol: Bitwise): BinaryOperator =>
  (left, right, budget) => {
    if (left instanceof PySet && right instanceof PySet) return combineSets(symbol, left, right, budget)
    if (!isInt(left) || !isInt(right)) return unsupported(symbol, left, right)
    budget.spend(largeSteps(left, right))
    const result = combineBits[symbol](BigInt(asInt(left) ?? 0), BigInt(asInt(right) ?? 0))
    return typeof left === 'boolean' && typeof right === 'boolean' ? result !== 0n : int(result)
  }

const combineBits: Record<Bitwise, (left: bigint, right: bigint) => bigint> = {
  '&': (left, right) => left & right,
  '|': (left, right) => left | right,
  '^': (left, right) => left ^ right,
}

const combineSets = (symbol: Bitwise, left: PySet, right: PySet, budget: Budget): PySet => {
  budget.spend(left.members.size + right.members.size)
  budget.allowElements(left.members.size + right.members.size)
  const result = new PySet()
  for (const [hash, member] of left.members)
    if (symbol === '|' || right.members.has(hash) === (symbol === '&')) result.members.set(hash, member)
  if (symbol !== '&')
    for (const [hash, member] of right.members) if (!left.members.has(hash)) result.members.set(hash, member)
  return result
}

const shift =
  (symbol: '<<' | '>>'): BinaryOperator =>
  (left, right, budget) => {
    if (!isInt(left) || !isInt(right)) return unsupported(symbol, left, right)
    budget.spend(largeSteps(left, right))
    const [value, count] = [BigInt(asInt(left) ?? 0), BigInt(asInt(right) ?? 0)]
    if (count < 0n) throw new ExpressionError('ValueError', 'negative shift count')
    if (symbol === '>>') return count > maxShift ? (value < 0n ? -1 : 0) : int(value >> count)
    if (value === 0n) return 0
    if (count > maxShift) throw new ExpressionError('LimitExceeded', 'a number that large')
    return limited(value << count)
  }

/** More than any int here has bits. */
const maxShift = 10_000n

export const binaryOperators: Record<string, BinaryOperator> = {
  '+': plus,
  '-': minus,
  '*': times,
  '/': onNumbers('/', divide),
  '//': onNumbers('//', floorDivide),
  '%': percent,
  '&': bitwise('&'),
  '|': bitwise('|'),
  '^': bitwise('^'),
  '<<': shift('<<'),
  '>>': shift('>>'),
  '**': onNumbers('** or pow()', power, powerSteps),
}
