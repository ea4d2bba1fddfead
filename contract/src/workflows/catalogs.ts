/** `/api/v1/catalogs`: named sets of model credentials for runs; `/api/v1/spaces`: a named context with members. */
import { z } from 'zod'
import { Currency, ModelPrices } from '../models/prices.ts'
import { line } from '../text.ts'

const CatalogEntry = z.strictObject({
  name: line(120),
  type: z.enum(['upstream', 'compat']),
  url: z.url({ protocol: /^https?$/ }).max(500),
  /** Write-only. Without it, an entry of the same name and server keeps its key; null removes it. */
  key: z.string().min(1).max(2000).nullish(),
  model_ids: z.array(z.string().min(1).max(300)).max(500),
  /** Without it, an entry of the same name and server keeps its prices. */
  prices: ModelPrices.optional(),
})
const hasUniqueNames = (entries: readonly { name: string }[]) =>
  new Set(entries.map(({ name }) => name)).size === entries.length
export const CatalogBody = z.strictObject({
  name: line(120),
  description: z.string().max(2000).optional(),
  entries: z.array(CatalogEntry).max(20).refine(hasUniqueNames, 'must have different names'),
})
export const CatalogPatch = CatalogBody.partial()
export const Catalog = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  entries: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['upstream', 'compat']),
      url: z.string(),
      has_key: z.boolean(),
      model_ids: z.array(z.string()),
      prices: ModelPrices,
    }),
  ),
  created_at: z.int(),
  updated_at: z.int(),
})
/** `currency`: that of the prices. */
export const CatalogList = z.object({ items: z.array(Catalog), total: z.int(), currency: Currency })

export const SpaceBody = z.strictObject({
  name: line(120),
  description: z.string().max(2000).optional(),
  /** None: everyone in the scope. */
  member_ids: z.array(z.uuid()).max(1000).optional(),
})
export const SpacePatch = SpaceBody.partial()
export const Space = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  member_ids: z.array(z.uuid()),
  created_at: z.int(),
  updated_at: z.int(),
})
export const SpaceList = z.object({ items: z.array(Space), total: z.int() })
