/** `value[key]` and `value[start:stop:step]`. */

import { repr } from '../format/print.ts'
import type { Budget } from '../limits/budget.ts'
import { ExpressionError } from '../limits/errors.ts'
import { asInt } from '../values/numbers.ts'
import { charactersOf } from '../values/text.ts'
import {
  type Dict,
  dictGet,
  isDict,
  isInt,
  isList,
  jsonKeys,
  PyDict,
  PySequence,
  PyTuple,
  typeName,
  type Value,
} from '../values/values.ts'
import { nearName, nearNameSteps } from './near-name.ts'

export const subscript = (value: Value, key: Value, budget: Budget): Value => {
  if (isList(value)) return at('list', value, key)
  if (value instanceof PyTuple) return at('tuple', value.items, key)
  if (value instanceof PySequence && value.type === 'range') return at('range object', value.items, key)
  if (typeof value === 'string') return at('string', charactersOf(value, budget), key)
  if (!isDict(value)) throw new ExpressionError('TypeError', `'${typeName(value)}' object is not subscriptable`)
  const found = dictGet(value, key, budget)
  if (found === undefined)
    throw new ExpressionError('KeyError', `${repr(key, budget)}${suggestion(value, key, budget)}`)
  return found
}

/** Suggests fields of JSON only, and nothing where there is no budget left to look for one. */
const suggestion = (value: Dict, key: Value, budget: Budget): string => {
  if (typeof key !== 'string' || value instanceof PyDict) return ''
  const names = jsonKeys(value)
  const steps = nearNameSteps(key, names)
  if (steps > budget.left) return ''
  budget.spend(steps)
  const near = nearName(key, names)
  return near === undefined ? '' : `. Did you mean ${repr(near, budget)}?`
}

const at = (what: string, items: ArrayLike<Value>, key: Value): Value => {
  if (!isInt(key)) {
    const indices =
      what === 'string' || what === 'range object'
        ? `${what} indices must be integers`
        : `${what} indices must be integers or slices`
    throw new ExpressionError(
      'TypeError',
      `${indices}, not ${typeName(key) === 'str' && what === 'string' ? "'str'" : typeName(key)}`,
    )
  }
  const index = Number(asInt(key))
  const found = items[index < 0 ? index + items.length : index]
  if (found === undefined) throw new ExpressionError('IndexError', `${what} index out of range`)
  return found
}

export interface Slice {
  start: Value
  stop: Value
  step: Value
}

export const slice = (value: Value, { start, stop, step }: Slice, budget: Budget): Value => {
  const items = itemsOf(value, budget)
  if (!items) throw new ExpressionError('TypeError', `'${typeName(value)}' object cannot be sliced`)
  const by = bound(step) ?? 1
  if (by === 0) throw new ExpressionError('ValueError', 'slice step cannot be zero')
  const { first, count } = selection(items.length, { from: bound(start), to: bound(stop), by })
  if (typeof items === 'string' && by === 1) {
    budget.spendText(count, 'build')
    return items.slice(first, first + count)
  }
  budget.spend(typeof value === 'string' ? Math.ceil(count / 8) : count)
  const picked = Array.from({ length: count }, (_, index) => items[first + index * by] ?? null)
  if (typeof value === 'string') return picked.join('')
  return isList(value) ? picked : new PyTuple(picked)
}

const itemsOf = (value: Value, budget: Budget): ArrayLike<Value> | undefined => {
  if (typeof value === 'string') return charactersOf(value, budget)
  if (isList(value)) return value
  return value instanceof PyTuple ? value.items : undefined
}

const bound = (value: Value): number | undefined => {
  if (value === null) return undefined
  if (isInt(value)) return Number(asInt(value))
  throw new ExpressionError('TypeError', 'slice indices must be integers or None')
}

interface Bounds {
  from: number | undefined
  to: number | undefined
  by: number
}

/** The items that a slice selects: the first, and the number of them. */
const selection = (length: number, { from, to, by }: Bounds): { first: number; count: number } => {
  const [lowest, highest] = by > 0 ? [0, length] : [-1, length - 1]
  const clamp = (index: number) => Math.min(highest, Math.max(lowest, index < 0 ? index + length : index))
  const first = from === undefined ? (by > 0 ? 0 : length - 1) : clamp(from)
  const end = to === undefined ? (by > 0 ? length : -1) : clamp(to)
  return { first, count: Math.max(0, Math.ceil((end - first) / by)) }
}
