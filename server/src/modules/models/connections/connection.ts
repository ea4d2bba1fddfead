/** The settings of a connection, from the database or the environment. */
import type { ModelPrices, Price } from '@chancery/contract/models/prices.ts'

export interface ConnectionSettings {
  id: string
  type: 'upstream' | 'compat'
  name: string
  /** Without a trailing slash. */
  url: string
  key: string | null
  prefixId: string | null
  modelIds: readonly string[] | null
  tags: readonly string[]
  enabled: boolean
  timeoutSec: number | null
  prices: Readonly<ModelPrices>
  source: 'environment' | 'database'
  createdAt: Date | null
  updatedAt: Date | null
}

/** Null where no price is set, which does not mean free. */
export const priceOf = ({ prices }: Pick<ConnectionSettings, 'prices'>, modelId: string): Price | null =>
  Object.hasOwn(prices, modelId) ? (prices[modelId] ?? null) : null

export const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, '')
