/**
 * Prices of models: per million tokens, in the currency of the instance. A call of a model without a price has an
 * unknown cost.
 */
import { z } from 'zod'

const mostModels = 1000
/** So that one token costs a whole number of the smallest part that is counted, 10⁻¹². */
const decimals = 6

const amount = z
  .number('must be a number')
  .min(0, 'must not be negative')
  .max(1_000_000_000, 'must be at most 1,000,000,000')
  .refine((value) => Number(value.toFixed(decimals)) === value, `must have at most ${decimals} decimals`)

export const Price = z.strictObject({ input: amount, output: amount })
export type Price = z.infer<typeof Price>

/** Names that mean something else to JavaScript; no model is called so. */
const unsafe: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** By the model's id as its server calls it, without any prefix. */
export const ModelPrices = z
  .record(
    z
      .string()
      .min(1)
      .max(300)
      .refine((id) => !unsafe.includes(id), 'must not be a reserved name'),
    Price,
  )
  .refine((prices) => Object.keys(prices).length <= mostModels, `must be at most ${mostModels} models`)
export type ModelPrices = z.infer<typeof ModelPrices>

/** As it is answered: an ISO 4217 code. */
export const Currency = z.string().length(3)
