/** Triggers of workflows: events, schedules, webhooks. */
import { z } from 'zod'
import { line } from '../text.ts'
import { EventType, ListedEvent } from './events.ts'

export const FilterExpression = z.string().min(1).max(2000)
const where = { catalog_id: z.uuid().nullish(), space_id: z.uuid().nullish() }

export const EventTriggerBody = z.strictObject({
  name: line(200),
  event_type: EventType,
  filter_expr: FilterExpression.nullish(),
  concurrency: z.enum(['parallel', 'one_per_correlation']).optional(),
  /** An event that this workflow caused may start it again. */
  allow_reentry: z.boolean().optional(),
  enabled: z.boolean().optional(),
  /** Saves it on a draft too; events start the workflow once it is published. Without it, that is refused. */
  on_publish: z.boolean().optional(),
  ...where,
})
export const CronTriggerBody = z.strictObject({
  name: line(200),
  cron: z.string().min(1).max(200),
  timezone: z.string().min(1).max(100).optional(),
  input: z.unknown().optional(),
  /** For due times that passed while no server was running: one run for all, none, or one each (at most 100). */
  misfire: z.enum(['fire_once', 'skip', 'fire_all']).optional(),
  enabled: z.boolean().optional(),
  ...where,
})
/** Which header is verified, and over what. Stripe and Slack issue the secret themselves. */
export const WebhookScheme = z.enum(['standard', 'github', 'stripe', 'slack', 'hmac'])
export type WebhookScheme = z.infer<typeof WebhookScheme>

/** Senders can bring their own `secret`; otherwise one is generated and returned once. */
const webhookOptions = {
  secret: z
    .string()
    .regex(/^[\x21-\x7e]{8,500}$/, 'must be 8 to 500 printable characters')
    .optional(),
  /** Scheme `hmac`: the header with the HMAC-SHA256 of the body, in hex or base64. `x-signature` by default. */
  signature_header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'letters, digits and - only')
    .nullish(),
  /** Requests for which it is false start nothing. As in a subscription, over `payload` and `event`. */
  filter_expr: FilterExpression.nullish(),
  /** The payload is then `{ body, query, headers }`, without what carries credentials. Only the body is signed. */
  include_request: z.boolean().optional(),
  /** Replies with the run's output if it succeeds within this time, and otherwise with 202 and the run's id. */
  answer_sec: z.int().min(1).max(60).nullish(),
}

export const WebhookTriggerBody = z.strictObject({
  name: line(200),
  /** The type of its events; `webhook_received` by default. */
  event_type: EventType.nullish(),
  scheme: WebhookScheme.optional(),
  enabled: z.boolean().optional(),
  ...webhookOptions,
  ...where,
})
/** Filters and schedules are checked as at creation. `rotate_secret`, like a new `secret`, adds a second valid secret. */
export const TriggerPatch = z.strictObject({
  name: line(200).optional(),
  enabled: z.boolean().optional(),
  event_type: EventType.optional(),
  concurrency: z.enum(['parallel', 'one_per_correlation']).optional(),
  allow_reentry: z.boolean().optional(),
  cron: z.string().min(1).max(200).optional(),
  timezone: z.string().min(1).max(100).optional(),
  input: z.unknown().optional(),
  misfire: z.enum(['fire_once', 'skip', 'fire_all']).optional(),
  rotate_secret: z.boolean().optional(),
  ...webhookOptions,
  ...where,
})

const base = {
  id: z.uuid(),
  workflow_id: z.uuid(),
  name: z.string(),
  catalog_id: z.uuid().nullable(),
  space_id: z.uuid().nullable(),
  enabled: z.boolean(),
  created_at: z.int(),
}
const pause = {
  /** Set while it is paused because its filter kept failing. Any change resumes it. */
  paused_at: z.int().nullable(),
  paused_reason: z.string().nullable(),
}
export const EventTrigger = z.object({
  ...base,
  kind: z.literal('event'),
  event_type: z.string(),
  filter_expr: z.string().nullable(),
  concurrency: z.enum(['parallel', 'one_per_correlation']),
  allow_reentry: z.boolean(),
  ...pause,
})
export const CronTrigger = z.object({
  ...base,
  kind: z.literal('cron'),
  cron: z.string(),
  timezone: z.string(),
  input: z.unknown(),
  misfire: z.enum(['fire_once', 'skip', 'fire_all']),
  /** The next five due times, in Unix seconds; none while it is disabled. */
  next_times: z.array(z.int()),
})
export const WebhookTrigger = z.object({
  ...base,
  kind: z.literal('webhook'),
  event_type: z.string(),
  scheme: WebhookScheme,
  signature_header: z.string().nullable(),
  filter_expr: z.string().nullable(),
  include_request: z.boolean(),
  answer_sec: z.int().nullable(),
  ...pause,
  /** Null when the server's encryption key changed and it can't be decrypted any more. */
  url: z.string().nullable(),
  /** When the older of two valid secrets stops working. */
  old_secret_ends_at: z.int().nullable(),
  /** Only in the reply to the request that created it. */
  secret: z.string().optional(),
})
export const Trigger = z.discriminatedUnion('kind', [EventTrigger, CronTrigger, WebhookTrigger])
export type Trigger = z.infer<typeof Trigger>
export type TriggerPatch = z.output<typeof TriggerPatch>
export const TriggerList = z.object({ items: z.array(Trigger), total: z.int() })

export const FilterTestBody = z.strictObject({
  event_type: EventType.optional(),
  filter_expr: z.string().max(2000),
  limit: z.int().min(1).max(50).optional(),
})
/** An invalid expression is a 200 with its error, since this is called while someone types. */
export const FilterTestReply = z.object({
  error: z.object({ message: z.string(), line: z.int(), column: z.int() }).nullable(),
  results: z.array(z.object({ event: ListedEvent, result: z.boolean().nullable(), error: z.string().nullable() })),
})

export const TimetableTestBody = z.strictObject({
  cron: z.string().max(200),
  timezone: z.string().min(1).max(100).optional(),
})
/** The next five times, or the error of a field. Also called while someone types. */
export const TimetableTestReply = z.object({
  error: z.object({ field: z.enum(['cron', 'timezone']), message: z.string() }).nullable(),
  next_times: z.array(z.int()),
})

/**
 * POST `/api/public/hooks/{token}`: the delivery's event; `duplicate` when the delivery was received before. A webhook with
 * `answer_sec` replies with the run's output instead, or adds `run_id`: null when nothing was started.
 */
export const HookReply = z.object({ event_id: z.uuid(), duplicate: z.boolean(), run_id: z.uuid().nullish() })
export type HookReply = z.infer<typeof HookReply>
