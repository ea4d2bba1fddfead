/** Iterating over values and collecting them, within the budget. */
import type { Budget } from '../limits/budget.ts'
import { ExpressionError } from '../limits/errors.ts'
import { dictKeys, isDict, isList, PyGenerator, PySequence, PySet, PyTuple, typeName, type Value } from './values.ts'

/** Each value costs one step. */
export function* iterate(value: Value, budget: Budget): Generator<Value> {
  if (value instanceof PyGenerator) {
    for (let next = value.values.next(); !next.done; next = value.values.next()) {
      budget.spend(1)
      yield next.value
    }
    return
  }
  for (const item of elementsOf(value, budget)) {
    budget.spend(1)
    yield item
  }
}

/** The elements of a value, without a copy where that is possible. A string is iterated by code points. */
const elementsOf = (value: Value, budget: Budget): Iterable<Value> => {
  if (isList(value) || typeof value === 'string') return value
  if (value instanceof PyTuple || value instanceof PySequence) return value.items
  if (value instanceof PySet) return value.members.values()
  if (isDict(value)) return dictKeys(value, budget)
  throw new ExpressionError('TypeError', `'${typeName(value)}' object is not iterable`)
}

export const toList = (value: Value, budget: Budget): Value[] => {
  const list: Value[] = []
  for (const item of iterate(value, budget)) {
    budget.allowElements(list.length + 1)
    list.push(item)
  }
  return list
}

export const toSet = (items: Iterable<Value>, budget: Budget): PySet => {
  const set = new PySet()
  for (const item of items) {
    set.add(item, budget)
    budget.allowElements(set.members.size)
  }
  return set
}
