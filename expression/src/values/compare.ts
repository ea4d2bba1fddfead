/** Equality, order and membership as Python defines them. */
import type { Budget } from '../limits/budget.ts'
import { ExpressionError } from '../limits/errors.ts'
import { iterate } from './iterate.ts'
import { compareNumbers } from './numbers.ts'
import { compareTexts, includes } from './text.ts'
import {
  type Dict,
  dictEntries,
  dictGet,
  dictSize,
  hashKey,
  isDict,
  isList,
  isNumber,
  PyGenerator,
  PySequence,
  PySet,
  PyTuple,
  typeName,
  type Value,
} from './values.ts'

export const isEqual = (left: Value, right: Value, budget: Budget): boolean => {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length === right.length) budget.spendText(left.length, 'scan')
    return left === right
  }
  if (left === right) return true
  const one = itemsOf(left)
  const other = itemsOf(right)
  if (one && other) return typeName(left) === typeName(right) && areEqual(one, other, budget)
  if (left instanceof PySet && right instanceof PySet)
    return left.members.size === right.members.size && isSubset(left, right, budget)
  return isDict(left) && isDict(right) && areEqualDicts(left, right, budget)
}

const isContainer = (value: Value): boolean =>
  isList(value) ||
  value instanceof PyTuple ||
  value instanceof PySet ||
  value instanceof PySequence ||
  value instanceof PyGenerator

const itemsOf = (value: Value): readonly Value[] | undefined => {
  if (isList(value)) return value
  return value instanceof PyTuple || (value instanceof PySequence && value.type === 'range') ? value.items : undefined
}

const areEqual = (left: readonly Value[], right: readonly Value[], budget: Budget): boolean => {
  if (left.length !== right.length) return false
  return left.every((item, index) => {
    budget.spend(1)
    return isSame(item, right[index] ?? null, budget)
  })
}

const areEqualDicts = (left: Dict, right: Dict, budget: Budget): boolean => {
  if (dictSize(left, budget) !== dictSize(right, budget)) return false
  return dictEntries(left, budget).every(([key, value]) => {
    const other = dictGet(right, key, budget)
    return other !== undefined && isSame(value, other, budget)
  })
}

/** Inside containers an object equals itself, even nan. */
const isSame = (left: Value, right: Value, budget: Budget): boolean =>
  (typeof left !== 'string' && Object.is(left, right)) || isEqual(left, right, budget)

const isSubset = (left: PySet, right: PySet, budget: Budget): boolean => {
  budget.spend(left.members.size)
  for (const key of left.members.keys()) if (!right.members.has(key)) return false
  return true
}

export type Ordering = '<' | '<=' | '>' | '>='

const holds: Record<Ordering, (sign: number) => boolean> = {
  '<': (sign) => sign < 0,
  '<=': (sign) => sign <= 0,
  '>': (sign) => sign > 0,
  '>=': (sign) => sign >= 0,
}

export const isOrdered = (left: Value, operator: Ordering, right: Value, budget: Budget): boolean => {
  if (isNumber(left) && isNumber(right)) {
    const sign = compareNumbers(left, right)
    return sign !== undefined && holds[operator](sign)
  }
  if (typeof left === 'string' && typeof right === 'string') return holds[operator](compareTexts(left, right, budget))
  if (left instanceof PySet && right instanceof PySet) return isOrderedSet(left, operator, right, budget)
  if (isList(left) && isList(right)) return isOrderedItems(left, operator, right, budget)
  if (left instanceof PyTuple && right instanceof PyTuple)
    return isOrderedItems(left.items, operator, right.items, budget)
  throw new ExpressionError(
    'TypeError',
    `'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
  )
}

/** The first pair that differs decides, then the length. */
const isOrderedItems = (
  left: readonly Value[],
  operator: Ordering,
  right: readonly Value[],
  budget: Budget,
): boolean => {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    budget.spend(1)
    const one = left[index] ?? null
    const other = right[index] ?? null
    if (!isSame(one, other, budget)) return isOrdered(one, operator, other, budget)
  }
  return holds[operator](left.length - right.length)
}

const isOrderedSet = (left: PySet, operator: Ordering, right: PySet, budget: Budget): boolean => {
  const [small, large] = operator.startsWith('<') ? [left, right] : [right, left]
  const isStrict = operator.length === 1
  return isSubset(small, large, budget) && !(isStrict && small.members.size === large.members.size)
}

export const contains = (container: Value, item: Value, budget: Budget): boolean => {
  if (typeof container === 'string') {
    if (typeof item === 'string') return includes(container, item, budget)
    throw new ExpressionError('TypeError', `'in <string>' requires string as left operand, not ${typeName(item)}`)
  }
  if (container instanceof PySet) return container.members.has(hashKey(item, budget))
  if (isDict(container)) return dictGet(container, item, budget) !== undefined
  if (!isContainer(container))
    throw new ExpressionError('TypeError', `argument of type '${typeName(container)}' is not iterable`)
  for (const candidate of iterate(container, budget)) if (isSame(candidate, item, budget)) return true
  return false
}

/** `is`: plain values are identical if they are equal and of one type. */
export const isIdentical = (left: Value, right: Value, budget: Budget): boolean => {
  if (typeof left === 'string' && typeof right === 'string' && left.length === right.length)
    budget.spendText(left.length, 'scan')
  return Object.is(left, right)
}
