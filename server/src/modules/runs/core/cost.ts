/**
 * Exact costs of model calls. A price has at most six decimals and is for a million tokens, so each token costs a whole
 * number of 10⁻¹² units. Amounts are added as whole numbers and never rounded. Pure.
 */
import type { Price } from '@chancery/contract/models/prices.ts'

const decimals = 12
const priceDecimals = 6

/** An amount as the database returns it, such as `0.000000450000`. */
export type Amount = string

export interface Tokens {
  prompt: number
  completion: number
}

/** Stored with a run and with each of its steps. */
export interface Spending {
  cost: Amount | null
  hasUnpriced: boolean
}

export const costOf = ({ prompt, completion }: Tokens, { input, output }: Price): Amount =>
  format(BigInt(prompt) * millionths(input) + BigInt(completion) * millionths(output))

/** A call without a price is missing in the sum, which `hasUnpriced` records. */
export const addCost = (to: Spending, cost: Amount | null): void => {
  if (cost === null) to.hasUnpriced = true
  else to.cost = to.cost === null ? cost : format(parse(to.cost) + parse(cost))
}

const millionths = (price: number): bigint => BigInt(price.toFixed(priceDecimals).replace('.', ''))

const parse = (amount: Amount): bigint => {
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(whole + part.padEnd(decimals, '0'))
}

const format = (amount: bigint): Amount => {
  const digits = amount.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
