/** Builds the request body from the form. */
import type { Connection } from '@chancery/contract/models/connections.ts'
import type { Fields } from '#lib/form/form.ts'
import { type PriceDrafts, priceDrafts, pricesBody } from '#lib/form/prices.ts'

export interface Choices {
  type: Connection['type']
  isEnabled: boolean
  /** Remove the stored key. */
  removesKey: boolean
  /** Undefined means every model it lists. */
  modelIds: readonly string[] | undefined
  prices: PriceDrafts
}

export const choicesOf = (current: Connection | undefined): Choices => ({
  type: current?.type ?? 'compat',
  isEnabled: current?.enabled ?? true,
  removesKey: false,
  modelIds: current?.model_ids && current.model_ids.length > 0 ? current.model_ids : undefined,
  prices: priceDrafts(current?.prices),
})

const wordsOf = (text: string) => [...new Set(text.split(',').map((word) => word.trim()))].filter(Boolean)

/** A key that wasn't typed isn't sent, so the stored one is kept. */
function keyOf(typed: string, removesKey: boolean) {
  if (removesKey) return { key: null }
  return typed === '' ? {} : { key: typed }
}

export function connectionBody(fields: Fields, choices: Choices, isNew: boolean) {
  const { type, isEnabled, removesKey, modelIds, prices } = choices
  const { name = '', url = '', key = '', prefix_id = '', tags = '', timeout_sec = '' } = fields
  const timeout = timeout_sec.trim()
  return {
    ...(isNew && { type }),
    name,
    url: url.trim(),
    ...keyOf(key.trim(), removesKey),
    prefix_id: prefix_id.trim() === '' ? null : prefix_id.trim(),
    model_ids: modelIds === undefined ? null : [...modelIds],
    tags: wordsOf(tags),
    enabled: isEnabled,
    prices: pricesBody(prices),
    // Text that isn't a number is sent as is and comes back as the field's problem.
    timeout_sec: timeout === '' ? null : Number.isNaN(Number(timeout)) ? timeout : Number(timeout),
  }
}
