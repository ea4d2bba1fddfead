/** `/api/admin/status`: how the instance did in the last day or month. Platform admin only. */
import { z } from 'zod'
import { Currency } from '../models/prices.ts'

export const StatusQuery = z.strictObject({ span: z.enum(['day', 'month']).default('day') })

/** Null: nothing was sampled, or there is nothing to tell. */
const figure = z.number().nullable()

export const StatusPoint = z.object({
  /** When it begins, in Unix seconds. */
  at: z.int(),
  /** In which at least one server was running; the current period isn't over yet. */
  minutes: z.int(),
  requests: figure,
  /** 4xx. */
  refused: figure,
  /** 5xx. */
  failed: figure,
  /** To the last byte of the answer, streamed ones included. Estimated from a histogram. */
  p50_ms: figure,
  p95_ms: figure,
  prompt_tokens: figure,
  completion_tokens: figure,
  /** Of calls of models that have a price. */
  cost: figure,
  model_calls: figure,
  failed_model_calls: figure,
  succeeded_runs: figure,
  failed_runs: figure,
  cancelled_runs: figure,
  seals: figure,
  failed_seals: figure,
  sent_mails: figure,
  failed_mails: figure,
  /** How long the oldest has waited at worst. */
  oldest_job_sec: figure,
  oldest_run_sec: figure,
  oldest_event_sec: figure,
  /** How late the event loops were, at worst in 99 of 100 checks. */
  loop_p99_ms: figure,
  database_bytes: figure,
  database_connections: figure,
  longest_statement_sec: figure,
  stored_bytes: figure,
  quota_refusals: figure,
})
export type StatusPoint = z.infer<typeof StatusPoint>

export const Status = z.object({
  currency: Currency,
  step_sec: z.int(),
  /** Unix seconds of the latest sample; null where there was none in the last hours. */
  sampled_at: z.int().nullable(),
  /** How many connections the database allows. */
  most_connections: figure,
  /** Oldest first, also those in which nothing was sampled. */
  points: z.array(StatusPoint),
  /** Of the whole span, the busiest first. */
  connections: z.array(
    z.object({ name: z.string(), calls: z.int(), failures: z.int(), first_byte_ms: z.number().nullable() }),
  ),
  /** Jobs that waited, the longest wait first. */
  queues: z.array(z.object({ job: z.string(), longest_wait_sec: z.number() })),
  /** Whom quotas refused, the most often first. */
  at_limit: z.array(
    z.object({
      kind: z.enum(['organization', 'user']),
      id: z.uuid(),
      name: z.string(),
      quota: z.string(),
      times: z.int(),
    }),
  ),
})
export type Status = z.infer<typeof Status>
