/** Liveness and readiness. */
import { z } from 'zod'

export const Health = z.object({ status: z.literal(true) })
export const Readiness = z.object({
  ready: z.literal(true),
  /** Unreachable services without which the node works on: `redis`, `s3`. */
  degraded: z.array(z.string()),
  status: z.boolean(),
  checks: z.record(z.string(), z.boolean()),
})

export const DeepCheckBody = z.strictObject({ model: z.string().min(1).max(300) })

/** A check that failed has our usual error body as well, and the status of its error. */
export const DeepCheckReport = z.object({
  status: z.boolean(),
  model: z.string(),
  latency_ms: z.int(),
  first_byte_ms: z.int().optional(),
  /** The beginning of the model's reply. */
  reply: z.string().optional(),
  error: z.string().optional(),
})
export type DeepCheckReport = z.infer<typeof DeepCheckReport>
