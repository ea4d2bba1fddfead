/** `/api/v1/usage`: what was used, and how much may be. */
import { z } from 'zod'

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'a day such as 2026-01-31')

/** Who sees whose: a person their own, an org admin their organization's, the platform owner everybody's. */
export const UsageQuery = z.object({
  from: day.optional(),
  to: day.optional(),
  by: z.enum(['day', 'model', 'user', 'key']).default('day'),
  scope: z.enum(['own', 'organization', 'platform']).default('own'),
  model: z.string().max(300).optional(),
})

export const UsageRow = z.object({
  /** The day, model id, user id or key id, depending on `by`. */
  group: z.string(),
  label: z.string(),
  requests: z.int(),
  failures: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
})
export const UsageReport = z.object({
  from: z.string(),
  to: z.string(),
  rows: z.array(UsageRow),
  total: UsageRow.omit({ group: true, label: true }),
})
export type UsageReport = z.infer<typeof UsageReport>

const cap = z.int().min(1).max(1_000_000_000_000).nullish()
/** Null means no limit. Of several limits that concern a caller, each holds. */
export const LimitBody = z.strictObject({
  subject_type: z.enum(['everyone', 'user', 'group', 'organization', 'key']),
  /** None for `everyone`, whose limits hold for each person on their own. */
  subject_id: z.uuid().nullish(),
  requests_per_minute: cap,
  tokens_per_day: cap,
  tokens_per_month: cap,
})
export const UsageLimit = z.object({
  id: z.uuid(),
  subject_type: z.enum(['everyone', 'user', 'group', 'organization', 'key']),
  subject_id: z.uuid().nullable(),
  subject_name: z.string().nullable(),
  requests_per_minute: z.int().nullable(),
  tokens_per_day: z.int().nullable(),
  tokens_per_month: z.int().nullable(),
  created_at: z.int(),
  updated_at: z.int(),
})
export type UsageLimit = z.infer<typeof UsageLimit>
export const UsageLimitList = z.object({ items: z.array(UsageLimit), total: z.int() })

/** GET `/api/v1/usage/allowance`: what is left to the caller. */
export const Allowance = z.object({
  requests_per_minute: z.int().nullable(),
  tokens_today: z.object({ used: z.int(), limit: z.int().nullable() }),
  tokens_this_month: z.object({ used: z.int(), limit: z.int().nullable() }),
})
