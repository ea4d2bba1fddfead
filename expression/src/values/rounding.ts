/** Truncation and rounding. Python rounds halves to even. */
import { ExpressionError } from '../limits/errors.ts'
import { asFloat, asInt, float, floorQuotient, int, maxDigits, type PyNumber } from './numbers.ts'
import type { PyFloat } from './values.ts'

/** Towards zero. */
export const truncate = (value: PyNumber): number | bigint => {
  const whole = asInt(value)
  if (whole !== undefined) return whole
  return wholeOf(asFloat(value), 'integer')
}

const wholeOf = (value: number, to: string): number | bigint => {
  if (Number.isNaN(value)) throw new ExpressionError('ValueError', `cannot convert float NaN to ${to}`)
  if (!Number.isFinite(value)) throw new ExpressionError('OverflowError', `cannot convert float infinity to ${to}`)
  return int(BigInt(Math.trunc(value)))
}

/** Without digits the result is an int, with digits it keeps its type. Halves go to even. */
export const round = (value: PyNumber, digits: number | undefined): number | bigint | PyFloat => {
  const whole = asInt(value)
  if (whole !== undefined) return digits === undefined || digits >= 0 ? whole : roundWhole(BigInt(whole), -digits)
  const number = asFloat(value)
  if (digits === undefined) {
    const floor = Math.floor(number)
    const half = number - floor
    const isUp = half > 0.5 || (half === 0.5 && floor % 2 !== 0)
    return wholeOf(isUp ? floor + 1 : floor, 'integer')
  }
  if (!Number.isFinite(number) || number === 0 || digits > 323) return float(number)
  // No float has more than 309 digits before the point.
  if (digits < -309) return float(number < 0 ? -0 : 0)
  return float(roundFloat(number, digits))
}

const roundWhole = (value: bigint, zeros: number): number | bigint => {
  // An int has at most so many digits, and making the power of ten costs more than anything else here.
  if (zeros > maxDigits || zeros > value.toString(16).length * 1.25 + 2) return 0
  const unit = 10n ** BigInt(zeros)
  return int(roundQuotient(value, unit) * unit)
}

/** To the nearest, to even at the half. The divisor is positive. */
const roundQuotient = (value: bigint, divisor: bigint): bigint => {
  const floor = floorQuotient(value, divisor)
  const twice = 2n * (value - floor * divisor)
  return twice > divisor || (twice === divisor && floor % 2n !== 0n) ? floor + 1n : floor
}

/** On the exact value of the float, not on its printed form: round(2.675, 2) is 2.67. */
const roundFloat = (value: number, digits: number): number => {
  const rounded = Number(`${roundedDigits(value, digits)}e${-digits}`)
  return rounded === 0 && value < 0 ? -0 : rounded
}

/** `value * 10 ** digits` as the nearest whole number, to even at the half. `digits` lies within a few hundred. */
export const roundedDigits = (value: number, digits: number): bigint => {
  const { mantissa, exponent } = partsOf(value)
  const numerator = mantissa * (exponent > 0 ? 2n ** BigInt(exponent) : 1n) * (digits > 0 ? 10n ** BigInt(digits) : 1n)
  const denominator = (exponent < 0 ? 2n ** BigInt(-exponent) : 1n) * (digits < 0 ? 10n ** BigInt(-digits) : 1n)
  return roundQuotient(numerator, denominator)
}

const partsOf = (value: number): { mantissa: bigint; exponent: number } => {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const biased = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xf_ffff_ffff_ffffn
  const magnitude = biased === 0 ? fraction : fraction | (1n << 52n)
  return { mantissa: value < 0 ? -magnitude : magnitude, exponent: Math.max(biased, 1) - 1075 }
}
