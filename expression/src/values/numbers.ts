/** Python's arithmetic: ints of any size (up to a limit), floor division, exact comparison. */
import { ExpressionError } from '../limits/errors.ts'
import { PyFloat } from './values.ts'

export type PyNumber = number | bigint | boolean | PyFloat

/** A float as a value: whole ones are wrapped, see values.ts. */
export const float = (value: number): number | PyFloat => (Number.isSafeInteger(value) ? new PyFloat(value) : value)

/** An int as a value: small where it can be. */
export const int = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value

type Int = number | bigint

/** The int in a value that is one; undefined for a float. */
export const asInt = (value: PyNumber): Int | undefined => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'bigint') return value
  // Adding zero makes minus zero, which no int is, an ordinary one.
  return typeof value === 'number' && Number.isSafeInteger(value) ? value + 0 : undefined
}

export const asFloat = (value: PyNumber): number => {
  if (value instanceof PyFloat) return value.value
  const number = Number(value)
  if (typeof value === 'bigint' && !Number.isFinite(number))
    throw new ExpressionError('OverflowError', 'int too large to convert to float')
  return number
}

type Operation = (left: PyNumber, right: PyNumber) => number | bigint | PyFloat

const operation =
  (
    ints: (left: Int, right: Int) => number | bigint | PyFloat,
    floats: (left: number, right: number) => number,
  ): Operation =>
  (left, right) => {
    const one = asInt(left)
    const other = asInt(right)
    if (one !== undefined && other !== undefined) return ints(one, other)
    return float(floats(asFloat(left), asFloat(right)))
  }

const exact =
  (small: (left: number, right: number) => number, large: (left: bigint, right: bigint) => bigint) =>
  (left: Int, right: Int): number | bigint => {
    if (typeof left === 'number' && typeof right === 'number') {
      const result = small(left, right)
      if (Number.isSafeInteger(result)) return result + 0
    }
    return limited(large(BigInt(left), BigInt(right)))
  }

const maxBits = 4096
/** As in Python: longer texts are not converted to ints, nor longer ints to texts. */
export const maxDigits = 4300
/** The words of 64 bits that an int has, in three sizes: JavaScript doesn't tell, and counting would take longer. */
const wordsOf = (value: unknown): number => {
  if (typeof value !== 'bigint') return 0
  if (value < small && value > -small) return 8
  return value < large && value > -large ? 64 : 256
}
const small = 2n ** 512n
const large = 2n ** 4096n

/** Multiplying, dividing and printing go over all pairs of words: what one step pays for. */
const pairsPerStep = 512
const wordsPerStep = 16

/** The cost of an operation on ints, next to the step of the loop it is in; none where both are small. */
export const largeSteps = (left: unknown, right: unknown): number => {
  if (typeof left !== 'bigint' && typeof right !== 'bigint') return 0
  const [one, other] = [wordsOf(left), wordsOf(right)]
  return largeNumberSteps + Math.floor(((one || 1) * (other || 1)) / pairsPerStep + (one + other) / wordsPerStep)
}
const largeNumberSteps = 2

/** The cost of an int's digits. */
export const printSteps = (value: unknown): number => 2 * largeSteps(value, value)

/** The cost of a float's exact digits. */
export const digitSteps = (digits: number): number => 4 + Math.floor(Math.min(Math.abs(digits), 400) / 16)

/** An int within the size that is allowed. */
export const limited = (value: bigint): number | bigint => {
  if (value >= large || value <= -large) throw new ExpressionError('LimitExceeded', 'a number that large')
  return int(value)
}
const bitLength = (value: bigint): number => (value < 0n ? -value : value).toString(16).length * 4

const refuseZero = (isZero: boolean, message: string): void => {
  if (isZero) throw new ExpressionError('ZeroDivisionError', message)
}

export const add = operation(
  exact(
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  (a, b) => a + b,
)
export const subtract = operation(
  exact(
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  (a, b) => a - b,
)
export const multiply = operation(
  exact(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  (a, b) => a * b,
)

/** Exact for ints of any size: 10**400 / 10**399 is 10.0, although neither fits a float. */
export const divide: Operation = (left, right) => {
  const [one, other] = [asInt(left), asInt(right)]
  if (typeof one === 'bigint' || typeof other === 'bigint') {
    if (one !== undefined && other !== undefined) {
      refuseZero(BigInt(other) === 0n, 'division by zero')
      return float(quotientAsFloat(BigInt(one), BigInt(other)))
    }
  }
  const divisor = asFloat(right)
  refuseZero(divisor === 0, 'division by zero')
  return float(asFloat(left) / divisor)
}

/** Correctly rounded: a quotient of 64 bits or more, whose last bit says whether anything was cut off. */
const quotientAsFloat = (left: bigint, right: bigint): number => {
  const isNegative = left < 0n !== right < 0n
  const [a, b] = [left < 0n ? -left : left, right < 0n ? -right : right]
  const shift = Math.max(0, bitLength(b) - bitLength(a) + 66)
  const scaled = a << BigInt(shift)
  const quotient = scaled / b
  const sticky = quotient * b === scaled ? quotient : quotient | 1n
  const size = Number(sticky)
  if (!Number.isFinite(size))
    throw new ExpressionError('OverflowError', 'integer division result too large for a float')
  const result = scaleDown(size, shift)
  return isNegative ? -result : result
}

/** Divides by 2 ** shift in steps that are exact until the result is subnormal. */
const scaleDown = (value: number, shift: number): number => {
  let result = value
  for (let left = shift; left > 0; left -= 1000) result /= 2 ** Math.min(left, 1000)
  return result
}

export const floorQuotient = (a: bigint, b: bigint): bigint => {
  const quotient = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient
}

/** Towards minus infinity, and the remainder with the sign of the divisor, as in C's fmod and then mended. */
const floorParts = (a: number, b: number): { quotient: number; remainder: number } => {
  let remainder = a % b
  let quotient = (a - remainder) / b
  if (remainder !== 0) {
    if (b < 0 !== remainder < 0) {
      remainder += b
      quotient -= 1
    }
  } else remainder = b < 0 ? -0 : 0
  if (quotient === 0) return { quotient: a / b < 0 || Object.is(a / b, -0) ? -0 : 0, remainder }
  const floor = Math.floor(quotient)
  return { quotient: quotient - floor > 0.5 ? floor + 1 : floor, remainder }
}

export const floorDivide: Operation = (left, right) => {
  refuseZero(
    asFloat(right) === 0,
    asInt(left) !== undefined && asInt(right) !== undefined
      ? 'integer division or modulo by zero'
      : 'float floor division by zero',
  )
  return operation(
    exact((a, b) => Math.floor(a / b), floorQuotient),
    (a, b) => floorParts(a, b).quotient,
  )(left, right)
}

export const modulo: Operation = (left, right) => {
  refuseZero(
    asFloat(right) === 0,
    asInt(left) !== undefined && asInt(right) !== undefined ? 'integer modulo by zero' : 'float modulo',
  )
  return operation(
    (a, b) => int(BigInt(a) - floorQuotient(BigInt(a), BigInt(b)) * BigInt(b)),
    (a, b) => floorParts(a, b).remainder,
  )(left, right)
}

/** The cost of a power: as large as its result. */
export const powerSteps = (left: PyNumber, right: PyNumber): number => {
  const [base, exponent] = [asInt(left), asInt(right)]
  if (base === undefined || exponent === undefined) return 0
  const words = (bitLength(BigInt(base)) * Math.min(Math.max(Number(exponent), 0), maxBits)) / 64
  return largeSteps(left, right) + Math.floor(Math.min(words, maxBits / 16) ** 2 / pairsPerStep)
}

export const power: Operation = (left, right) => {
  const base = asInt(left)
  const exponent = asInt(right)
  if (base === undefined || exponent === undefined || exponent < 0) return floatPower(asFloat(left), asFloat(right))
  const size = bitLength(BigInt(base))
  if (BigInt(exponent) > 100_000n || size * Number(exponent) > 4 * maxBits)
    if (base !== 0 && base !== 1 && base !== -1) throw new ExpressionError('LimitExceeded', 'a number that large')
  const result =
    base === -1
      ? BigInt(exponent) % 2n === 0n
        ? 1n
        : -1n
      : base === 0 || base === 1
        ? smallPower(base, exponent)
        : BigInt(base) ** BigInt(exponent)
  return limited(result)
}

const smallPower = (base: number, exponent: Int): bigint => (base === 0 && BigInt(exponent) > 0n ? 0n : 1n)

const floatPower = (base: number, exponent: number): number | PyFloat => {
  refuseZero(base === 0 && exponent < 0, '0.0 cannot be raised to a negative power')
  if (base < 0 && Number.isFinite(base) && Number.isFinite(exponent) && !Number.isInteger(exponent))
    throw new ExpressionError('ValueError', 'complex numbers are not supported')
  // C says 1 here and JavaScript NaN.
  if (base === 1 || (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent))) return float(1)
  const result = base ** exponent
  if (!Number.isFinite(result) && Number.isFinite(base) && Number.isFinite(exponent))
    throw new ExpressionError('OverflowError', 'Numerical result out of range')
  return float(result)
}

export const negate = (value: PyNumber): number | bigint | PyFloat => {
  const whole = asInt(value)
  if (whole === undefined) return float(-asFloat(value))
  return typeof whole === 'bigint' ? int(-whole) : -whole + 0
}

export const absolute = (value: PyNumber): number | bigint | PyFloat => {
  const whole = asInt(value)
  if (whole === undefined) return float(Math.abs(asFloat(value)))
  return whole < 0 ? negate(whole) : whole
}

/** Exactly, also between a large int and a float. Undefined where one is not a number at all (nan). */
export const compareNumbers = (left: PyNumber, right: PyNumber): number | undefined => {
  const one = asInt(left) ?? asFloat(left)
  const other = asInt(right) ?? asFloat(right)
  if (Number.isNaN(one) || Number.isNaN(other)) return undefined
  return one < other ? -1 : one > other ? 1 : 0
}
