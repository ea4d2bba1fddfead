/**
 * What calls of models cost, to the last digit. A price has at most six decimals and is for a million tokens, so that each
 * token costs a whole number of 10⁻¹² units: amounts are added as whole numbers, nothing is rounded, and a run of many
 * cheap calls costs what they cost. (Millionths would not do: a token of a small model costs less.) Pure.
 */
import type { Price } from '@chancery/contract/prices.ts'

const places = 12
const priceDecimals = 6

/** An amount as the database has it, such as `0.000000450000`. */
export type Amount = string

export interface Tokens {
  prompt: number
  completion: number
}

/** What a run and each of its steps keep. */
export interface Spending {
  cost: Amount | null
  hasUnpriced: boolean
}

export const costOf = ({ prompt, completion }: Tokens, { input, output }: Price): Amount =>
  written(BigInt(prompt) * millionths(input) + BigInt(completion) * millionths(output))

/** Where a call had no price, its cost is missing in the sum, and that is remembered. */
export const addCost = (to: Spending, cost: Amount | null): void => {
  if (cost === null) to.hasUnpriced = true
  else to.cost = to.cost === null ? cost : written(read(to.cost) + read(cost))
}

const millionths = (price: number): bigint => BigInt(price.toFixed(priceDecimals).replace('.', ''))

const read = (amount: Amount): bigint => {
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(places, '0'))
}

const written = (amount: bigint): Amount => {
  const digits = amount.toString().padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
