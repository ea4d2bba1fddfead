/** `/api/v1/usage`: what was used, and how much may be. */
import { z } from 'zod'

const day = z.iso.date('a day such as 2026-01-31')

/**
 * Days are those of UTC; without any, the last thirty. Who sees whose: a person their own, an org admin their
 * organization's, the platform admin everybody's. `format=csv` answers the same rows as a file.
 */
export const UsageQuery = z.strictObject({
  from: day.optional(),
  to: day.optional(),
  by: z.enum(['day', 'model', 'user', 'key']).default('day'),
  scope: z.enum(['own', 'organization', 'platform']).default('own'),
  model: z.string().max(300).optional(),
  format: z.enum(['json', 'csv']).default('json'),
})
export type UsageQuery = z.infer<typeof UsageQuery>

export const UsageRow = z.object({
  /** The day, model id, user id or key id, depending on `by`; empty for calls without a key. */
  group: z.string(),
  label: z.string(),
  requests: z.int(),
  failures: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
})
export type UsageRow = z.infer<typeof UsageRow>

/** By day: every day of the range in order, also those without use. Else most tokens first, at most a thousand rows; as a file all of them. */
export const UsageReport = z.object({
  from: z.string(),
  to: z.string(),
  rows: z.array(UsageRow),
  total: UsageRow.omit({ group: true, label: true }),
})
export type UsageReport = z.infer<typeof UsageReport>

const cap = z.int('must be a whole number').min(1, 'must be at least 1').max(1_000_000_000_000).nullish()
const rate = z.int().min(1).max(1_000_000).nullish()
const caps = { requests_per_minute: rate, tokens_per_day: cap, tokens_per_month: cap }
const subjectType = z.enum(['everyone', 'user', 'group', 'organization', 'key'])

/**
 * Null means no limit. Limits of `everyone` and of a group hold for each person on their own; those of an organization
 * are shared by its people. Of several limits that concern a caller, each holds.
 */
export const LimitBody = z.strictObject({
  subject_type: subjectType,
  /** None for `everyone`. */
  subject_id: z.uuid().nullish(),
  ...caps,
})
export type LimitBody = z.infer<typeof LimitBody>

/** A limit that is left out stays as it is. */
export const LimitPatch = z.strictObject(caps)
export type LimitPatch = z.infer<typeof LimitPatch>

export const UsageLimit = z.object({
  id: z.uuid(),
  subject_type: subjectType,
  subject_id: z.uuid().nullable(),
  subject_name: z.string().nullable(),
  /** An organization's administrators may change what they set, and see what the platform set for their people. */
  set_by: z.enum(['platform', 'organization']),
  requests_per_minute: z.int().nullable(),
  tokens_per_day: z.int().nullable(),
  tokens_per_month: z.int().nullable(),
  created_at: z.int(),
  updated_at: z.int(),
})
export type UsageLimit = z.infer<typeof UsageLimit>
export const UsageLimitList = z.object({ items: z.array(UsageLimit), total: z.int() })

/** GET `/api/v1/usage/allowance`: the tightest of the limits that concern the caller, and what of it is used. */
export const Allowance = z.object({
  requests_per_minute: z.int().nullable(),
  tokens_today: z.object({ used: z.int(), limit: z.int().nullable() }),
  tokens_this_month: z.object({ used: z.int(), limit: z.int().nullable() }),
})
export type Allowance = z.infer<typeof Allowance>
