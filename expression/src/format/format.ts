/** Formatting with `str.format` and `%`. Fields are plain: no attributes, no subscripts, no nested specifications. */
import type { Budget } from '../limits/budget.ts'
import { ExpressionError } from '../limits/errors.ts'
import { asInt } from '../values/numbers.ts'
import { truncate } from '../values/rounding.ts'
import { dictGet, isDict, isInt, isList, isNumber, PyTuple, typeName, type Value } from '../values/values.ts'
import { format } from './format-spec.ts'
import { repr, str } from './print.ts'

const field = /\{\{|\}\}|\{([^{}!:.[\]]*)(![rs])?(?::([^{}]*))?\}|[{}]/g

/** Python reads the digits of other scripts as numbers, too. */
const otherDigits = /^(?=.*[^0-9])\p{Nd}+$|^\d{5,}$/u

interface Given {
  args: readonly Value[]
  named: ReadonlyMap<string, Value>
}

/** `"{} of {:>5} in {place}".format(a, b, place=c)`. */
export const formatFields = (self: string, { args, named }: Given, budget: Budget): string => {
  budget.spendText(self.length, 'visit')
  const text = createText(budget)
  let numbering: 'automatic' | 'manual' | undefined
  let next = 0
  let last = 0
  for (const match of self.matchAll(field)) {
    const [whole, name, conversion, spec = ''] = match
    text.add(self.slice(last, match.index))
    last = match.index + whole.length
    if (whole === '{{' || whole === '}}') text.add(whole.slice(1))
    else if (name === undefined || otherDigits.test(name))
      throw new ExpressionError('ValueError', 'only plain fields such as {}, {0}, {name} and {0:>10} are supported')
    else {
      const kind = name === '' ? 'automatic' : /^\d+$/.test(name) ? 'manual' : undefined
      if (numbering !== undefined && kind !== undefined && numbering !== kind)
        throw new ExpressionError('ValueError', 'cannot switch between automatic and manual field numbering')
      numbering = kind ?? numbering
      const value = kind === undefined ? named.get(name) : args[name === '' ? next++ : Number(name)]
      if (value === undefined)
        throw kind === undefined
          ? new ExpressionError('KeyError', repr(name, budget))
          : new ExpressionError('IndexError', 'Replacement index out of range for positional args tuple')
      text.add(
        format(
          conversion === '!r' ? repr(value, budget) : conversion === '!s' ? str(value, budget) : value,
          spec,
          budget,
        ),
      )
    }
  }
  text.add(self.slice(last))
  return text.done()
}

/** A text that is charged as it grows. */
const createText = (budget: Budget) => {
  let text = ''
  return {
    add: (part: string): void => {
      budget.allowText(text.length + part.length)
      text += part
    },
    done: (): string => {
      budget.buildText(text.length)
      return text
    },
  }
}

const directive = /%(?:\(([^()]*)\))?([-+ 0#]*)(\d{1,9})?(?:\.(\d{1,9}))?([a-zA-Z%])|%/g

/** `"%s: %.2f" % (a, b)`. */
export const formatPercent = (self: string, right: Value, budget: Budget): string => {
  budget.spendText(self.length, 'visit')
  const text = createText(budget)
  const given = right instanceof PyTuple ? right.items : [right]
  let next = 0
  let last = 0
  for (const match of self.matchAll(directive)) {
    const [whole, key, flags = '', width = '', precision, type] = match
    text.add(self.slice(last, match.index))
    last = match.index + whole.length
    if (type === undefined) throw new ExpressionError('ValueError', 'incomplete or unsupported format')
    if (type === '%') text.add('%')
    else {
      const value = key === undefined ? given[next++] : keyed(right, key, budget)
      if (value === undefined) throw new ExpressionError('TypeError', 'not enough arguments for format string')
      text.add(convert(value, { flags, width, precision, type }, budget))
    }
  }
  text.add(self.slice(last))
  // As in Python, a dict or a list may stay unused.
  const mayBeUnused = isDict(right) || isList(right)
  if (next < given.length && !mayBeUnused)
    throw new ExpressionError('TypeError', 'not all arguments converted during string formatting')
  return text.done()
}

const keyed = (right: Value, key: string, budget: Budget): Value => {
  if (!isDict(right)) throw new ExpressionError('TypeError', 'format requires a mapping')
  const value = dictGet(right, key, budget)
  if (value === undefined) throw new ExpressionError('KeyError', repr(key, budget))
  return value
}

interface Directive {
  flags: string
  width: string
  precision: string | undefined
  type: string
}

const convert = (value: Value, { flags, width, precision, type }: Directive, budget: Budget): string => {
  budget.spend(1)
  const align = flags.includes('-') ? '<' : '>'
  const limit = precision === undefined ? '' : `.${precision}`
  if (type === 's' || type === 'r')
    return format(type === 's' ? str(value, budget) : repr(value, budget), `${align}${width}${limit}`, budget)
  const sign = flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const zero = flags.includes('0') && !flags.includes('-') ? '0' : ''
  const alternate = flags.includes('#') ? '#' : ''
  const before = zero === '' ? align : ''
  if (/[eEfFgG]/.test(type)) {
    if (!isNumber(value)) throw new ExpressionError('TypeError', `must be real number, not ${typeName(value)}`)
    return format(value, `${before}${sign}${alternate}${zero}${width}${limit}${type}`, budget)
  }
  if (!/[diuxXo]/.test(type) || precision !== undefined)
    throw new ExpressionError('ValueError', `unsupported format character '${type}'`)
  const whole = wholeOf(value, type)
  return format(whole, `${before}${sign}${alternate}${zero}${width}${/[iu]/.test(type) ? 'd' : type}`, budget)
}

const wholeOf = (value: Value, type: string): Value => {
  if (isInt(value)) return asInt(value) ?? 0
  if (isNumber(value) && /[diu]/.test(type)) return truncate(value)
  const wanted = /[diu]/.test(type) ? 'a real number' : 'an integer'
  throw new ExpressionError('TypeError', `%${type} format: ${wanted} is required, not ${typeName(value)}`)
}
