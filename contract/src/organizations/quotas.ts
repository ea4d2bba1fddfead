/** What one organization may take of what all share, and how much of it is used. */
import { z } from 'zod'

export const QuotaUse = z.object({
  name: z.string(),
  /** What is counted, as the end of "At most 100 …". */
  what: z.string(),
  /** Over a span of time; so many that exist; so many at once on each node. */
  kind: z.enum(['rate', 'amount', 'at_once']),
  windowSec: z.int().nullable(),
  /** 0 is no limit. */
  most: z.int(),
  source: z.enum(['default', 'plan', 'scope']),
  /** Without the organization's own limit. */
  usual: z.int(),
  /** Null where it is counted for each account, address or node. */
  used: z.int().nullable(),
})
export type QuotaUse = z.infer<typeof QuotaUse>
export const QuotaList = z.object({ items: z.array(QuotaUse) })

/** By the quota's name; 0 is no limit, null takes the own limit away. */
export const QuotaLimitsBody = z.strictObject({
  limits: z.record(z.string().max(60), z.int().min(0).max(10_000_000).nullable()),
})
export type QuotaLimitsBody = z.infer<typeof QuotaLimitsBody>
