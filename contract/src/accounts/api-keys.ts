/** `/api/v1/api-keys`. Times are Unix seconds, as everywhere under `/api/v1`. */
import { z } from 'zod'
import { line } from '../text.ts'

const routePrefix = z
  .string()
  .max(200)
  .regex(/^\/[A-Za-z0-9._~/-]*$/, 'must be a path such as /api/models')
  .refine((path) => !path.split('/').some((segment) => segment === '.' || segment === '..'), 'must not hold . or ..')

export const ApiKeyBody = z.strictObject({
  name: line(120),
  allowed_routes: z.array(routePrefix).min(1).max(50).nullish(),
  expires_at: z.int().positive().nullish(),
})

export const ApiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string(),
  allowed_routes: z.array(z.string()).nullable(),
  expires_at: z.int().nullable(),
  created_at: z.int(),
  last_used_at: z.int().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

/** The one reply that carries the key itself. */
export const NewApiKey = ApiKey.omit({ last_used_at: true }).extend({ key: z.string() })
export type NewApiKey = z.infer<typeof NewApiKey>
export const ApiKeyList = z.object({ items: z.array(ApiKey), total: z.int() })
