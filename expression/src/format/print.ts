/** str() and repr(). */
import type { Budget } from '../limits/budget.ts'
import { ExpressionError } from '../limits/errors.ts'
import { asFloat, printSteps } from '../values/numbers.ts'
import {
  dictEntries,
  isDict,
  isInt,
  isList,
  PyFloat,
  type PyGenerator,
  PySequence,
  PySet,
  PyTuple,
  type Value,
} from '../values/values.ts'

export const str = (value: Value, budget: Budget): string => (typeof value === 'string' ? value : repr(value, budget))

export const repr = (value: Value, budget: Budget): string => {
  const printed = print(value, budget)
  budget.buildText(printed.length)
  return printed
}

const print = (value: Value, budget: Budget): string => {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quote(value, budget)
  if (value instanceof PyFloat || (typeof value === 'number' && !isInt(value))) {
    budget.spend(floatSteps)
    return printFloat(asFloat(value))
  }
  if (typeof value === 'number') return String(value)
  if (typeof value === 'bigint') {
    budget.spend(printSteps(value))
    return String(value)
  }
  if (isList(value)) return `[${printAll(value, budget)}]`
  if (value instanceof PyTuple) return `(${printAll(value.items, budget)}${value.items.length === 1 ? ',' : ''})`
  if (value instanceof PySet)
    return value.members.size === 0 ? 'set()' : `{${printAll([...value.members.values()], budget)}}`
  if (isDict(value)) {
    const entries = dictEntries(value, budget)
    return `{${entries.map(([key, item]) => `${repr(key, budget)}: ${repr(item, budget)}`).join(', ')}}`
  }
  return printSequence(value, budget)
}

const printSequence = (value: PySequence | PyGenerator | Value, budget: Budget): string => {
  if (value instanceof PySequence && value.type !== 'range') return `${value.type}([${printAll(value.items, budget)}])`
  throw new ExpressionError('TypeError', 'a range or a generator cannot be printed')
}

const printAll = (items: readonly Value[], budget: Budget): string => {
  budget.spend(items.length)
  return items.map((item) => repr(item, budget)).join(', ')
}

/** The cost of a float's shortest digits. */
const floatSteps = 1

/** The shortest digits that read back as the same float, as in JavaScript; written out from 1e-4 up to 1e16. */
export const printFloat = (value: number): string => {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const [digits = '', power = '0'] = Math.abs(value).toExponential().split('e')
  const exponent = Number(power)
  const sign = value < 0 ? '-' : ''
  if (exponent < -4 || exponent >= 16)
    return `${sign}${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  return sign + writtenOut(digits.replace('.', ''), exponent)
}

const writtenOut = (digits: string, exponent: number): string => {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${whole}.${digits.slice(exponent + 1) || '0'}`
}

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const quote = (text: string, budget: Budget): string => {
  // Each is looked up in Unicode's tables, too.
  budget.spendText(2 * text.length, 'visit')
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  let printed = ''
  for (const character of text)
    printed += character === mark ? `\\${mark}` : (escapes[character] ?? printable(character))
  return mark + printed + mark
}

const printable = (character: string): string => {
  if (character === ' ' || !/[\p{C}\p{Z}]/u.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`
  return code < 0x1_0000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
