/** What starts a workflow: an event, a time, a webhook. */
import { z } from 'zod'
import { EventType, ListedEvent } from './events.ts'
import { line } from './text.ts'

export const FilterExpression = z.string().min(1).max(2000)
const where = { catalog_id: z.uuid().nullish(), space_id: z.uuid().nullish() }

export const EventTriggerBody = z.strictObject({
  name: line(200),
  event_type: EventType,
  filter_expr: FilterExpression.nullish(),
  concurrency: z.enum(['parallel', 'one_per_correlation']).optional(),
  /** Whether an event that this workflow caused itself may start it again. */
  allow_reentry: z.boolean().optional(),
  enabled: z.boolean().optional(),
  ...where,
})
export const CronTriggerBody = z.strictObject({
  name: line(200),
  cron: z.string().min(1).max(200),
  timezone: z.string().min(1).max(100).optional(),
  input: z.unknown().optional(),
  /** What happens with due times that passed while nothing ran: one run for all, none, or each (at most 100). */
  misfire: z.enum(['fire_once', 'skip', 'fire_all']).optional(),
  enabled: z.boolean().optional(),
  ...where,
})
export const WebhookTriggerBody = z.strictObject({
  name: line(200),
  /** What the webhook publishes; `webhook_received` unless told. */
  event_type: EventType.nullish(),
  scheme: z.enum(['standard', 'github']).optional(),
  enabled: z.boolean().optional(),
  ...where,
})
/** What may change later; a filter or a timetable is checked as at creation. `rotate_secret` makes a second live secret. */
export const TriggerPatch = z.strictObject({
  name: line(200).optional(),
  enabled: z.boolean().optional(),
  event_type: EventType.optional(),
  filter_expr: FilterExpression.nullish(),
  concurrency: z.enum(['parallel', 'one_per_correlation']).optional(),
  allow_reentry: z.boolean().optional(),
  cron: z.string().min(1).max(200).optional(),
  timezone: z.string().min(1).max(100).optional(),
  input: z.unknown().optional(),
  misfire: z.enum(['fire_once', 'skip', 'fire_all']).optional(),
  rotate_secret: z.boolean().optional(),
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
export const EventTrigger = z.object({
  ...base,
  kind: z.literal('event'),
  event_type: z.string(),
  filter_expr: z.string().nullable(),
  concurrency: z.enum(['parallel', 'one_per_correlation']),
  allow_reentry: z.boolean(),
  /** Set while it is paused because its filter kept failing. Any change resumes it. */
  paused_at: z.int().nullable(),
  paused_reason: z.string().nullable(),
})
export const CronTrigger = z.object({
  ...base,
  kind: z.literal('cron'),
  cron: z.string(),
  timezone: z.string(),
  input: z.unknown(),
  misfire: z.enum(['fire_once', 'skip', 'fire_all']),
  /** The next five due times, in seconds like all times here; none while it is off. */
  next_times: z.array(z.int()),
})
export const WebhookTrigger = z.object({
  ...base,
  kind: z.literal('webhook'),
  event_type: z.string(),
  scheme: z.enum(['standard', 'github']),
  /** Null where the server's own secret changed and it cannot be read any more. */
  url: z.string().nullable(),
  /** When the older of two live secrets stops working. */
  old_secret_ends_at: z.int().nullable(),
  /** Only in the reply to what made it: the trigger itself, or `rotate_secret`. */
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
/** A bad expression answers 200 here too, with where it is wrong: the tester is asked while one types. */
export const FilterTestReply = z.object({
  error: z.object({ message: z.string(), line: z.int(), column: z.int() }).nullable(),
  results: z.array(z.object({ event: ListedEvent, result: z.boolean().nullable(), error: z.string().nullable() })),
})

export const TimetableTestBody = z.strictObject({
  cron: z.string().max(200),
  timezone: z.string().min(1).max(100).optional(),
})
/** The next five times, or what is wrong with which field: this, too, is asked while one types. */
export const TimetableTestReply = z.object({
  error: z.object({ field: z.enum(['cron', 'timezone']), message: z.string() }).nullable(),
  next_times: z.array(z.int()),
})

/** POST `/api/public/hooks/{token}`: the event that the delivery became; `duplicate` where it had been one already. */
export const HookReply = z.object({ event_id: z.uuid(), duplicate: z.boolean() })
