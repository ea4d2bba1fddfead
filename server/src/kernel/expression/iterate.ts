/** Iterating over values and collecting them, within the budget. */
import type { Budget } from './budget.ts'
import { ExpressionError } from './errors.ts'
import { characters } from './text.ts'
import { dictEntries, isDict, isList, PyGenerator, PySequence, PySet, PyTuple, typeName, type Value } from './values.ts'

/** Each value costs one step. */
export function* iterate(value: Value, budget: Budget): Generator<Value> {
  if (value instanceof PyGenerator) {
    for (let next = value.values.next(); !next.done; next = value.values.next()) {
      budget.spend(1)
      yield next.value
    }
    return
  }
  for (const item of elementsOf(value)) {
    budget.spend(1)
    yield item
  }
}

/** The elements of a value; a list is not copied. */
const elementsOf = (value: Value): readonly Value[] => {
  if (isList(value)) return value
  if (value instanceof PyTuple || value instanceof PySequence) return value.items
  if (typeof value === 'string') return characters(value)
  if (value instanceof PySet) return [...value.members.values()]
  if (isDict(value)) return dictEntries(value).map(([key]) => key)
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
    set.add(item)
    budget.allowElements(set.members.size)
  }
  return set
}
