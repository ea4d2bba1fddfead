/** Converts a value to JSON: tuples, sets and views become lists, keys become strings. */
import { Budget } from '../limits/budget.ts'
import { ExpressionError } from '../limits/errors.ts'
import { toList } from '../values/iterate.ts'
import { asFloat, asInt, maxDigits } from '../values/numbers.ts'
import { dictEntries, isDict, isNumber, type Value } from '../values/values.ts'
import { str } from './print.ts'

/** Throws for numbers that JSON cannot represent: infinity and nan. */
export const toJson = (value: Value): unknown => convert(value, new Budget())

const convert = (value: Value, budget: Budget): unknown => {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (isNumber(value)) return plainNumber(asInt(value) ?? asFloat(value))
  if (isDict(value))
    return Object.fromEntries(
      dictEntries(value, budget).map(([key, item]) => [str(key, budget), convert(item, budget)]),
    )
  return toList(value, budget).map((item) => convert(item, budget))
}

/** An int keeps its digits, as a bigint where it has to. */
const plainNumber = (value: number | bigint): number | bigint => {
  const number = Number(value)
  if (typeof value === 'bigint' && !Number.isSafeInteger(number) && String(value).length <= maxDigits) return value
  if (Number.isFinite(number)) return number
  throw new ExpressionError('ValueError', 'a number that JSON cannot hold')
}
