/** The functions an expression may call. */

import { str } from '../format/print.ts'
import type { Budget } from '../limits/budget.ts'
import { ExpressionError } from '../limits/errors.ts'
import { isOrdered } from '../values/compare.ts'
import { iterate, toList, toSet } from '../values/iterate.ts'
import {
  absolute,
  asFloat,
  asInt,
  digitSteps,
  float,
  floorQuotient,
  int,
  largeSteps,
  limited,
  maxDigits,
} from '../values/numbers.ts'
import { round, truncate } from '../values/rounding.ts'
import { asciiDigits, strip, textLength } from '../values/text.ts'
import {
  dictEntries,
  dictSize,
  isDict,
  isInt,
  isList,
  isNumber,
  isTruthy,
  PyDict,
  PyFloat,
  PySequence,
  PySet,
  PyTuple,
  typeName,
  type Value,
} from '../values/values.ts'
import { binaryOperators } from './operators.ts'

/** Positional and keyword arguments. */
export interface Arguments {
  args: readonly Value[]
  named: ReadonlyMap<string, Value>
}

export interface PyFunction {
  least: number
  most: number
  names?: readonly string[]
  call(given: Arguments, budget: Budget): Value
}

const typeError = (message: string): ExpressionError => new ExpressionError('TypeError', message)

const lengthOf = (value: Value, budget: Budget): number => {
  if (typeof value === 'string') return textLength(value, budget)
  if (isList(value)) return value.length
  if (value instanceof PyTuple || value instanceof PySequence) return value.items.length
  if (value instanceof PySet) return value.members.size
  if (isDict(value)) return dictSize(value, budget)
  throw typeError(`object of type '${typeName(value)}' has no len()`)
}

const total = ({ args: [items = null, start = 0] }: Arguments, budget: Budget): Value => {
  if (typeof start === 'string') throw typeError("sum() can't sum strings [use ''.join(seq) instead]")
  let sum: Value = start
  for (const item of iterate(items, budget)) sum = binaryOperators['+']?.(sum, item, budget) ?? null
  return sum
}

const extreme =
  (name: 'min' | 'max', operator: '<' | '>'): PyFunction['call'] =>
  ({ args, named }, budget) => {
    const candidates = args.length === 1 ? toList(args[0] ?? null, budget) : [...args]
    const fallback = named.get('default')
    if (fallback !== undefined && args.length > 1)
      throw typeError(`Cannot specify a default for ${name}() with multiple positional arguments`)
    const [first, ...others] = candidates
    if (first === undefined) {
      if (fallback !== undefined) return fallback
      throw new ExpressionError('ValueError', `${name}() iterable argument is empty`)
    }
    let best = first
    for (const candidate of others) if (isOrdered(candidate, operator, best, budget)) best = candidate
    return best
  }

/** Stable; each comparison costs a step. */
const sorted: PyFunction['call'] = ({ args: [items = null], named }, budget) => {
  const isReversed = isTruthy(named.get('reverse') ?? false)
  const compare = (one: Value, other: Value): number => {
    budget.spend(1)
    if (isOrdered(one, '<', other, budget)) return -1
    return isOrdered(other, '<', one, budget) ? 1 : 0
  }
  const list = toList(items, budget)
  return isReversed ? list.sort((one, other) => compare(other, one)) : list.sort(compare)
}

const wholeNumber = /^[+-]?\d+(_\d+)*$/
/** No digit can be read in two ways, or a text that is no number would take the square of its length. */
const decimalNumber = /^[+-]?(\d+(_\d+)*(\.(\d+(_\d+)*)?)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$/i
const words: ReadonlyMap<string, number> = new Map([
  ['inf', Infinity],
  ['infinity', Infinity],
  ['nan', Number.NaN],
])

/** Undefined where the text is longer than a number may be. */
const digitsOf = (value: string, budget: Budget): string | undefined => {
  const text = strip(value, { side: 'both', set: undefined, budget })
  // A digit of another script may take two units.
  const digits = text.length > 2 * maxDigits ? text : asciiDigits(text, budget)
  return digits.length > maxDigits ? undefined : digits
}

const toInt = ({ args: [value = 0] }: Arguments, budget: Budget): Value => {
  if (isNumber(value)) return truncate(value)
  if (typeof value !== 'string')
    throw typeError(`int() argument must be a string, a bytes-like object or a real number, not '${typeName(value)}'`)
  const text = digitsOf(value, budget)
  if (text === undefined || !wholeNumber.test(text))
    throw new ExpressionError('ValueError', 'invalid literal for int() with base 10')
  budget.spendText(text.length, 'visit')
  return limited(BigInt(text.replaceAll('_', '').replace(/^\+/, '')))
}

const toFloat = ({ args: [value = 0] }: Arguments, budget: Budget): Value => {
  if (isNumber(value)) return float(asFloat(value))
  if (typeof value !== 'string')
    throw typeError(`float() argument must be a string or a real number, not '${typeName(value)}'`)
  const text = digitsOf(value, budget)?.toLowerCase()
  const word = words.get(text?.replace(/^[+-]/, '') ?? '')
  if (word !== undefined) return float(text?.startsWith('-') ? -word : word)
  if (text === undefined || !decimalNumber.test(text))
    throw new ExpressionError('ValueError', 'could not convert string to float')
  return float(Number(text.replaceAll('_', '')))
}

const toDict = ({ args: [source] }: Arguments, budget: Budget): Value => {
  const dict = new PyDict()
  if (source === undefined) return dict
  const pairs = isDict(source)
    ? dictEntries(source, budget)
    : toList(source, budget).map((pair) => toList(pair, budget))
  budget.allowElements(pairs.length)
  for (const [key, value, ...more] of pairs) {
    if (key === undefined || value === undefined || more.length > 0)
      throw new ExpressionError('ValueError', 'dictionary update sequence elements must be pairs')
    dict.set(key, value, budget)
  }
  return dict
}

const wholeOf = (value: Value): bigint => {
  const whole = isInt(value) ? asInt(value) : undefined
  if (whole !== undefined) return BigInt(whole)
  throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`)
}

/** Counted in whole numbers without limit: floats would turn a huge bound into infinity and a count into NaN. */
const range = ({ args }: Arguments, budget: Budget): Value => {
  const [first = 0n, second, step = 1n] = args.map(wholeOf)
  const [from, to] = second === undefined ? [0n, first] : [first, second]
  budget.spend(args.reduce<number>((steps, one) => steps + largeSteps(one, one), 0))
  if (step === 0n) throw new ExpressionError('ValueError', 'range() arg 3 must not be zero')
  const count = Number(-floorQuotient(from - to, step))
  if (count <= 0) return new PySequence('range', [])
  budget.allowElements(count)
  budget.spend(count)
  return new PySequence(
    'range',
    Array.from({ length: count }, (_, index) => int(from + BigInt(index) * step)),
  )
}

const rounded = ({ args: [value = null, digits = null] }: Arguments, budget: Budget): Value => {
  if (!isNumber(value)) throw typeError(`type ${typeName(value)} doesn't define __round__ method`)
  if (digits === null) return round(value, undefined)
  const count = Number(wholeOf(digits))
  budget.spend(digitSteps(count) + largeSteps(value, value))
  return round(value, count)
}

const magnitude = ({ args: [value = null] }: Arguments): Value => {
  if (isNumber(value)) return absolute(value)
  throw typeError(`bad operand type for abs(): '${typeName(value)}'`)
}

const someItem =
  (wanted: boolean): PyFunction['call'] =>
  ({ args: [items = null] }, budget) => {
    for (const item of iterate(items, budget)) if (isTruthy(item) === wanted) return wanted
    return !wanted
  }

const one = (call: PyFunction['call']): PyFunction => ({ least: 1, most: 1, call })
const atMostOne = (call: PyFunction['call']): PyFunction => ({ least: 0, most: 1, call })

export const functions: Readonly<Record<string, PyFunction>> = {
  len: one(({ args: [value = null] }, budget) => lengthOf(value, budget)),
  any: one(someItem(true)),
  all: one(someItem(false)),
  sum: { least: 1, most: 2, call: total },
  min: { least: 1, most: 100, names: ['default'], call: extreme('min', '<') },
  max: { least: 1, most: 100, names: ['default'], call: extreme('max', '>') },
  abs: one(magnitude),
  round: { least: 1, most: 2, call: rounded },
  sorted: { least: 1, most: 1, names: ['reverse'], call: sorted },
  str: atMostOne(({ args: [value = ''] }, budget) => str(value, budget)),
  int: atMostOne(toInt),
  float: atMostOne(toFloat),
  bool: atMostOne(({ args: [value = false] }) => isTruthy(value)),
  list: atMostOne(({ args: [value = []] }, budget) => toList(value, budget)),
  tuple: atMostOne(({ args: [value = []] }, budget) => new PyTuple(toList(value, budget))),
  set: atMostOne(({ args: [value = []] }, budget) => toSet(iterate(value, budget), budget)),
  dict: atMostOne(toDict),
  range: { least: 1, most: 3, call: range },
}

/** Type tests by the name used with `isinstance`. */
export const typeTests: Readonly<Record<string, (value: Value) => boolean>> = {
  str: (value) => typeof value === 'string',
  int: (value) => isInt(value),
  float: (value) => (typeof value === 'number' && !isInt(value)) || value instanceof PyFloat,
  bool: (value) => typeof value === 'boolean',
  list: isList,
  tuple: (value) => value instanceof PyTuple,
  set: (value) => value instanceof PySet,
  dict: (value) => typeName(value) === 'dict',
}
