/** `format(value, spec)`: Python's format specifications for strings, ints and floats. */
import type { Budget } from '../limits/budget.ts'
import { ExpressionError } from '../limits/errors.ts'
import { asFloat, asInt, digitSteps, printSteps } from '../values/numbers.ts'
import { roundedDigits } from '../values/rounding.ts'
import { charactersOf, textLength } from '../values/text.ts'
import { isNumber, typeName, type Value } from '../values/values.ts'
import { printFloat, str } from './print.ts'

interface Spec {
  fill: string
  align: '<' | '>' | '=' | '^' | undefined
  sign: '-' | '+' | ' '
  isAlternate: boolean
  isZeroPadded: boolean
  width: number
  grouping: ',' | '_' | ''
  precision: number | undefined
  type: string
}

const pattern = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d{1,9})?([,_])?(?:\.(\d{1,9}))?([a-zA-Z%])?$/su
const maxPrecision = 100

const readSpec = (text: string): Spec => {
  const match = pattern.exec(text)
  if (!match) throw new ExpressionError('ValueError', 'Invalid format specifier')
  const [, fill, align, sign, alternate, zero, width, grouping, precision, type] = match
  if (Number(precision ?? 0) > maxPrecision)
    throw new ExpressionError('LimitExceeded', `more than ${maxPrecision} digits after the point`)
  return {
    fill: fill ?? (zero ? '0' : ' '),
    align: align as Spec['align'],
    sign: (sign ?? '-') as Spec['sign'],
    isAlternate: alternate !== undefined,
    isZeroPadded: zero !== undefined && align === undefined,
    width: Number(width ?? 0),
    grouping: (grouping ?? '') as Spec['grouping'],
    precision: precision === undefined ? undefined : Number(precision),
    type: type ?? '',
  }
}

export const format = (value: Value, text: string, budget: Budget): string => {
  budget.spend(1)
  if (text === '') return str(value, budget)
  const spec = readSpec(text)
  budget.buildText(spec.width)
  if (typeof value === 'string') return formatText(value, spec, budget)
  if (!isNumber(value))
    throw new ExpressionError('TypeError', `unsupported format string passed to ${typeName(value)}.__format__`)
  budget.spend(typeof value === 'bigint' ? printSteps(value) : digitSteps(spec.precision ?? 0))
  const parts = formatNumber(value, spec)
  if (spec.grouping !== '') budget.spendText(Math.max(spec.width, parts.digits.length), 'visit')
  return padNumber(parts, spec)
}

const formatText = (value: string, spec: Spec, budget: Budget): string => {
  if (spec.type !== '' && spec.type !== 's') throw unknownType(spec.type, 'str')
  if (spec.align === '=' || spec.sign !== '-' || spec.grouping !== '' || spec.isAlternate)
    throw new ExpressionError('ValueError', 'This format specifier is not allowed for strings')
  const characters = charactersOf(value, budget)
  const cut =
    spec.precision === undefined || spec.precision >= characters.length
      ? value
      : Array.from(characters).slice(0, spec.precision).join('')
  return pad(cut, textLength(cut, budget), { ...spec, align: spec.align ?? '<' })
}

/** Sign and prefix, the digits before the point, and what follows them. */
interface NumberParts {
  lead: string
  digits: string
  rest: string
}

const unknownType = (type: string, of: string): ExpressionError =>
  new ExpressionError('ValueError', `Unknown format code '${type}' for object of type '${of}'`)

const bases: Record<string, { radix: number; prefix: string }> = {
  b: { radix: 2, prefix: '0b' },
  o: { radix: 8, prefix: '0o' },
  x: { radix: 16, prefix: '0x' },
  X: { radix: 16, prefix: '0X' },
}

const formatNumber = (value: number | bigint | boolean | Exclude<Value, string>, spec: Spec): NumberParts => {
  if (!isNumber(value)) throw unknownType(spec.type, typeName(value))
  const whole = asInt(value)
  const isIntType = whole !== undefined && /^[dboxXn]?$/.test(spec.type)
  if (isIntType) {
    if (spec.precision !== undefined)
      throw new ExpressionError('ValueError', 'Precision not allowed in integer format specifier')
    return formatInt(BigInt(whole), spec)
  }
  if (!/^[eEfFgG%n]?$/.test(spec.type)) throw unknownType(spec.type, typeName(value))
  return formatFloat(asFloat(value), spec)
}

const signOf = (isNegative: boolean, { sign }: Spec): string => (isNegative ? '-' : sign === '-' ? '' : sign)

const formatInt = (value: bigint, spec: Spec): NumberParts => {
  const base = bases[spec.type]
  const digits = (value < 0n ? -value : value).toString(base?.radix ?? 10)
  const prefix = base && spec.isAlternate ? base.prefix : ''
  return {
    lead: signOf(value < 0n, spec) + prefix,
    digits: spec.type === 'X' ? digits.toUpperCase() : digits,
    rest: '',
  }
}

const formatFloat = (value: number, spec: Spec): NumberParts => {
  const isNegative = value < 0 || Object.is(value, -0)
  const lead = signOf(isNegative, spec)
  const size = Math.abs(value)
  if (!Number.isFinite(value)) {
    const word = Number.isNaN(value) ? 'nan' : 'inf'
    return {
      lead: Number.isNaN(value) ? signOf(false, spec) : lead,
      digits: '',
      rest: /[EFG]/.test(spec.type) ? word.toUpperCase() : word,
    }
  }
  const text = spec.type === '%' ? `${fixed(size * 100, spec.precision ?? 6)}%` : digitsOf(size, spec)
  const [digits = ''] = /^\d+/.exec(text) ?? []
  const rest = text.slice(digits.length)
  return { lead, digits, rest: /[EG]/.test(spec.type) ? rest.toUpperCase() : rest }
}

const digitsOf = (size: number, { type, precision, isAlternate }: Spec): string => {
  const kind = type.toLowerCase()
  if (kind === 'f') return fixed(size, precision ?? 6)
  if (kind === 'e') return exponential(size, precision ?? 6).text
  if (kind === '' && precision === undefined) return printFloat(size)
  return general(size, { precision: precision ?? 6, isAlternate, hasPoint: kind === '' })
}

const fixed = (size: number, precision: number): string => {
  if (!Number.isFinite(size)) return 'inf'
  const digits = String(roundedDigits(size, precision)).padStart(precision + 1, '0')
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`
}

const exponential = (size: number, precision: number): { text: string; exponent: number } => {
  let exponent = size === 0 ? 0 : Number(size.toExponential().split('e')[1])
  let digits = String(roundedDigits(size, precision - exponent))
  if (digits.length > precision + 1) {
    exponent += 1
    digits = String(roundedDigits(size, precision - exponent))
  }
  digits = digits.padEnd(precision + 1, '0')
  const mantissa = precision === 0 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`
  return { text: `${mantissa}${exponentText(exponent)}`, exponent }
}

const exponentText = (exponent: number): string =>
  `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`

interface General {
  precision: number
  /** Keeps trailing zeros. */
  isAlternate: boolean
  /** Without a type at least one digit stands after the point. */
  hasPoint: boolean
}

const general = (size: number, { precision, isAlternate, hasPoint }: General): string => {
  const significant = Math.max(precision, 1)
  const { text, exponent } = exponential(size, significant - 1)
  const stripped = (digits: string): string =>
    isAlternate || !digits.includes('.') ? digits : digits.replace(/\.?0+$/, '')
  if (exponent < -4 || exponent >= significant - (hasPoint ? 1 : 0)) {
    const [mantissa = ''] = text.split('e')
    return `${stripped(mantissa)}${exponentText(exponent)}`
  }
  const plain = stripped(fixed(size, significant - 1 - exponent))
  return hasPoint && !plain.includes('.') ? `${plain}.0` : plain
}

const groupSize = (type: string): number => (/[boxX]/.test(type) ? 4 : 3)

/** Cut by hand: a pattern that looks ahead to the end at each digit takes the square of their number. */
const grouped = (digits: string, { grouping, type }: Spec): string => {
  if (grouping === '') return digits
  const size = groupSize(type)
  const first = digits.length % size || size
  const groups = [digits.slice(0, first)]
  for (let at = first; at < digits.length; at += size) groups.push(digits.slice(at, at + size))
  return groups.join(grouping)
}

const padNumber = ({ lead, digits, rest }: NumberParts, spec: Spec): string => {
  if (spec.grouping === ',' && /[boxXn]/.test(spec.type))
    throw new ExpressionError('ValueError', `Cannot specify ',' with '${spec.type}'.`)
  const align = spec.isZeroPadded ? '=' : (spec.align ?? '>')
  const room = spec.width - lead.length - rest.length
  if (align === '=' && spec.fill === '0') {
    let zeros = digits
    while (grouped(zeros, spec).length < room && digits !== '')
      zeros = zeros.padStart(Math.max(zeros.length + 1, wholeWidth(room, spec)), '0')
    return lead + grouped(zeros, spec).padStart(digits === '' ? room : 0, '0') + rest
  }
  const body = grouped(digits, spec) + rest
  if (align === '=') return lead + body.padStart(spec.width - lead.length, spec.fill)
  return pad(lead + body, lead.length + body.length, { ...spec, align })
}

/** The number of digits that fill a width with their separators, or one fewer. */
const wholeWidth = (room: number, { grouping, type }: Spec): number => {
  if (grouping === '') return room
  const size = groupSize(type)
  return Math.max(0, room - Math.floor(room / (size + 1)) - 1)
}

const pad = (text: string, length: number, { fill, align, width }: Spec): string => {
  const missing = width - length
  if (missing <= 0) return text
  if (align === '<') return text + fill.repeat(missing)
  if (align === '^') return fill.repeat(Math.floor(missing / 2)) + text + fill.repeat(Math.ceil(missing / 2))
  return fill.repeat(missing) + text
}
