/**
 * Python's values in JavaScript. None is null; a whole JavaScript number that is safe is an int, as is a bigint; any
 * other number is a float, and a float whose value is whole is a PyFloat, since 2 and 2.0 print differently. A list is
 * an array, a str a string; a dict is either a plain object (parsed JSON) or a PyDict.
 */
import type { Budget } from '../limits/budget.ts'
import { ExpressionError } from '../limits/errors.ts'

export class PyFloat {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

export class PyTuple {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    this.items = items
  }
}

/** `range` and the views of a dict. */
export class PySequence {
  readonly type: 'range' | 'dict_keys' | 'dict_values' | 'dict_items'
  readonly items: readonly Value[]
  constructor(type: PySequence['type'], items: readonly Value[]) {
    this.type = type
    this.items = items
  }
}

/** Produces its values one by one, on demand. */
export class PyGenerator {
  readonly values: Iterator<Value>
  constructor(values: Iterator<Value>) {
    this.values = values
  }
}

/** Keys are compared as in Python: 1, 1.0 and True are the same key. */
export class PyDict {
  readonly entries = new Map<string, readonly [Value, Value]>()

  set(key: Value, value: Value, budget: Budget): void {
    const hash = hashKey(key, budget)
    this.entries.set(hash, [this.entries.get(hash)?.[0] ?? key, value])
  }
}

export class PySet {
  readonly members = new Map<string, Value>()

  add(value: Value, budget: Budget): void {
    const hash = hashKey(value, budget)
    if (!this.members.has(hash)) this.members.set(hash, value)
  }
}

export interface JsonObject {
  readonly [key: string]: Value
}
export type Dict = PyDict | JsonObject
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Value[]
  | PyFloat
  | PyTuple
  | PySequence
  | PyGenerator
  | PyDict
  | PySet
  | JsonObject

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

export const isDict = (value: Value): value is Dict =>
  value instanceof PyDict || (typeof value === 'object' && value !== null && isPlainObject(value))

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

export const isInt = (value: Value): value is number | bigint | boolean =>
  typeof value === 'bigint' || typeof value === 'boolean' || (typeof value === 'number' && Number.isSafeInteger(value))

export const isNumber = (value: Value): value is number | bigint | boolean | PyFloat =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || value instanceof PyFloat

export const typeName = (value: Value): string => {
  if (value === null) return 'NoneType'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  if (isInt(value)) return 'int'
  if (typeof value === 'number' || value instanceof PyFloat) return 'float'
  if (isList(value)) return 'list'
  if (value instanceof PyTuple) return 'tuple'
  if (value instanceof PySet) return 'set'
  if (value instanceof PySequence) return value.type
  if (value instanceof PyGenerator) return 'generator'
  return 'dict'
}

const known = new WeakMap<JsonObject, readonly string[]>()

/** JavaScript makes the list of all keys anew each time, also to say if there is one. Values don't change. */
export const jsonKeys = (dict: JsonObject): readonly string[] => {
  const found = known.get(dict)
  if (found) return found
  const keys = Object.keys(dict)
  known.set(dict, keys)
  return keys
}

const sizeOf = (dict: Dict): number => (dict instanceof PyDict ? dict.entries.size : jsonKeys(dict).length)

/** Counting the keys of parsed JSON takes time in proportion to them. */
export const dictSize = (dict: Dict, budget: Budget): number => {
  const size = sizeOf(dict)
  budget.spend(Math.floor(size / keysPerStep))
  return size
}

const keysPerStep = 16

export const dictKeys = (dict: Dict, budget: Budget): readonly Value[] => {
  budget.spend(Math.floor(sizeOf(dict) / keysPerStep))
  return dict instanceof PyDict ? Array.from(dict.entries.values(), ([key]) => key) : jsonKeys(dict)
}

export const dictEntries = (dict: Dict, budget: Budget): (readonly [Value, Value])[] => {
  budget.spend(sizeOf(dict))
  if (dict instanceof PyDict) return [...dict.entries.values()]
  return jsonKeys(dict).map((key) => [key, dict[key] ?? null])
}

/** Undefined if there is no such key. */
export const dictGet = (dict: Dict, key: Value, budget: Budget): Value | undefined => {
  if (dict instanceof PyDict) return dict.entries.get(hashKey(key, budget))?.[1]
  if (typeof key === 'string') {
    budget.spendText(key.length, 'scan')
    return Object.hasOwn(dict, key) ? dict[key] : undefined
  }
  hashKey(key, budget)
  return undefined
}

/** A text that is the same for equal keys only. Parts of a tuple carry their length, so that it grows linearly. */
export const hashKey = (value: Value, budget: Budget): string => {
  if (typeof value === 'string') {
    budget.spendText(value.length, 'build')
    return `s${value}`
  }
  if (value === null) return 'None'
  if (isNumber(value)) {
    budget.spend(typeof value === 'bigint' ? largeKeySteps : isInt(value) ? 0 : floatKeySteps)
    return `n${numberKey(value)}`
  }
  if (value instanceof PyTuple) return `t${hashItems(value.items, budget)}`
  if (value instanceof PySequence && value.type === 'range') return `r${hashItems(value.items, budget)}`
  throw new ExpressionError('TypeError', `unhashable type: '${typeName(value)}'`)
}

const hashItems = (items: readonly Value[], budget: Budget): string => {
  budget.spend(items.length)
  let hash = ''
  for (const item of items) {
    const part = hashKey(item, budget)
    budget.spendText(part.length, 'build')
    hash += `${part.length}:${part}`
  }
  return hash
}

const numberKey = (value: number | bigint | boolean | PyFloat): string => {
  const plain = value instanceof PyFloat ? value.value : value
  const number = typeof plain === 'boolean' ? Number(plain) : plain
  if (Number.isSafeInteger(number)) return number.toString(keyRadix)
  if (typeof number === 'number' && Number.isInteger(number)) return BigInt(number).toString(keyRadix)
  return typeof number === 'bigint' ? number.toString(keyRadix) : String(number)
}

/** A power of two, with which an int is written in linear time. */
const keyRadix = 32
const largeKeySteps = 4
const floatKeySteps = 1

export const isTruthy = (value: Value): boolean => {
  if (value === null || typeof value === 'boolean') return value === true
  if (typeof value === 'number' || typeof value === 'string')
    return typeof value === 'number' ? value !== 0 : value !== ''
  if (typeof value === 'bigint') return value !== 0n
  if (value instanceof PyFloat) return value.value !== 0
  if (value instanceof PyTuple || value instanceof PySequence) return value.items.length > 0
  if (value instanceof PySet) return value.members.size > 0
  if (value instanceof PyGenerator) return true
  return isList(value) ? value.length > 0 : sizeOf(value) > 0
}
