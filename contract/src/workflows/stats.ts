/** GET `/api/v1/agent-workflows/{id}/stats`: how its runs ended, how long they took and what they cost. Without tests. */
import { z } from 'zod'
import { Currency } from '../models/prices.ts'

export const StatsQuery = z.strictObject({
  days: z
    .enum(['1', '7', '30'])
    .default('7')
    .transform((days) => Number(days) as 1 | 7 | 30),
})

const figures = {
  succeeded: z.int(),
  failed: z.int(),
  timed_out: z.int(),
  cancelled: z.int(),
  /** The share of successes among runs that succeeded, failed or timed out, from 0 to 1; null if there were none. */
  success_rate: z.number().nullable(),
  /** Durations of succeeded runs: within 10 %, and exact where all took the same; null without any. */
  p50_ms: z.int().nullable(),
  p95_ms: z.int().nullable(),
  /** In the instance's currency; null when no run had a cost in it. */
  cost: z.number().nullable(),
}

export const WorkflowStats = z.object({
  ...figures,
  currency: Currency,
  /** Equally long parts of the time, oldest first, with those in which no run ended. `at` is when it begins, in Unix seconds. */
  points: z.array(z.object({ at: z.int(), ...figures })),
})
export type WorkflowStats = z.infer<typeof WorkflowStats>
