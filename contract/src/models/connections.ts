/** `/api/v1/connections`: where models live. Platform admin only. */
import { z } from 'zod'
import { line } from '../text.ts'
import { Currency, ModelPrices } from './prices.ts'

const hasExtras = (url: string): boolean => /[?#@]/.test(url)

const ConnectionFields = z.strictObject({
  type: z.enum(['upstream', 'compat']),
  name: line(120),
  url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .refine((url) => !hasExtras(url), 'must not hold a user name, a password, a query or a fragment'),
  /** Write-only. Absent keeps the stored one, null removes it. */
  key: z.string().min(1).max(2000).nullish(),
  /** Put before each model id, with a dot. */
  prefix_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/, 'letters, digits, _ and - only')
    .nullish(),
  /** Only these of its models; null or empty means all it lists. Where it lists none, these are its models. */
  model_ids: z.array(z.string().min(1).max(300)).max(1000).nullish(),
  tags: z.array(line(60)).max(50).optional(),
  enabled: z.boolean().optional(),
  /** The longest time before a reply begins, and then between its parts; null takes HTTP_CLIENT_TIMEOUT. */
  timeout_sec: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(86_400, 'must be at most a day')
    .nullish(),
  /** Per million tokens, by model; a change replaces all that was there. */
  prices: ModelPrices.optional(),
})

export const ConnectionBody = ConnectionFields
export const ConnectionPatch = ConnectionFields.omit({ type: true }).partial()

export const Connection = z.object({
  id: z.uuid(),
  type: z.enum(['upstream', 'compat']),
  name: z.string(),
  url: z.string(),
  has_key: z.boolean(),
  prefix_id: z.string().nullable(),
  model_ids: z.array(z.string()).nullable(),
  tags: z.array(z.string()),
  enabled: z.boolean(),
  timeout_sec: z.int().nullable(),
  prices: ModelPrices,
  /** The environment's can be looked at, not changed. */
  source: z.enum(['environment', 'database']),
  health: z.object({
    state: z.enum(['unknown', 'well', 'failing', 'resting']),
    /** The last failure, in words without secrets. */
    problem: z.string().nullable(),
    checked_at: z.int().nullable(),
    model_count: z.int(),
  }),
  created_at: z.int().nullable(),
  updated_at: z.int().nullable(),
})
export type Connection = z.infer<typeof Connection>
/** `currency`: what prices are given in. */
export const ConnectionList = z.object({ items: z.array(Connection), total: z.int(), currency: Currency })

/**
 * POST `/api/v1/connections/test`: tries a connection before it is saved. `id` names the one being edited: its stored key is
 * used where none is given, at the server it was entered for.
 */
export const ConnectionTestBody = ConnectionFields.extend({ id: z.uuid().optional() })

export const ConnectionTest = z.object({
  reachable: z.boolean(),
  problem: z.string().nullable(),
  latency_ms: z.number().nullable(),
  models: z.array(z.string()),
})
