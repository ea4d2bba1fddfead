/** Liveness and readiness. */
import { z } from 'zod'

export const Health = z.object({ status: z.literal(true) })
export const Readiness = z.object({ status: z.boolean(), checks: z.record(z.string(), z.boolean()) })
