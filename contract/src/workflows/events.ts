/** `/api/v1/events`: the bus. Events are immutable; times are milliseconds. */
import { z } from 'zod'
import { paging } from '../lists.ts'

export const EventType = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,127}$/, 'snake_case: small letters, digits and _, a letter first')

/** A business key: any line of text. */
export const CorrelationId = z.string().max(200)

export const IngestBody = z.strictObject({
  event_type: EventType,
  correlation_id: CorrelationId.nullish(),
  source: z.string().min(1).max(200).nullish(),
  payload: z.unknown().optional(),
  /** The publisher's own id for this event: the same one again stores nothing new. */
  event_id: z.string().min(1).max(200).optional(),
})
export type IngestBody = z.infer<typeof IngestBody>

export const BusEvent = z.object({
  event_id: z.uuid(),
  event_type: z.string(),
  source: z.string(),
  correlation_id: z.string(),
  user_id: z.string().nullable(),
  payload: z.unknown(),
  published_at: z.int(),
})
export type BusEvent = z.infer<typeof BusEvent>

export const IngestReply = BusEvent.pick({
  event_id: true,
  event_type: true,
  correlation_id: true,
  source: true,
  published_at: true,
}).extend({ duplicate: z.boolean() })

const filters = {
  event_type: z.string().max(200).optional(),
  correlation_id: CorrelationId.optional(),
  source: z.string().max(200).optional(),
}
const time = z.coerce.number().int().min(0).max(8_640_000_000_000_000)
export const EventListQuery = z.strictObject({
  ...filters,
  /** Milliseconds, like `published_at`: from this time on. */
  published_from: time.optional(),
  /** Earlier than this time. */
  published_before: time.optional(),
  /**
   * Text in the payload's JSON, in upper or lower case. One request looks at up to 5,000 of the events that match
   * everything else, newest first: `next_cursor` goes on from there, perhaps with an empty page.
   */
  payload: z.string().min(1).max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'a cursor of this list')
    .optional(),
})
export const EventStreamQuery = z.object({ ...filters, after: z.coerce.number().int().min(0).optional() })
/** `seq` is the position in the stream: what `Last-Event-ID` and `after` name. */
export const ListedEvent = BusEvent.extend({
  seq: z.int(),
  /** The run that published it. */
  causation_run_id: z.uuid().nullable(),
})
export type ListedEvent = z.infer<typeof ListedEvent>
/** A page of large events may hold fewer than its `limit`; the list goes on while there is a `next_cursor`. */
export const EventList = z.object({ data: z.array(ListedEvent), next_cursor: z.string().nullable() })

export const Decision = z.enum([
  'fired',
  'filter_false',
  'filter_error',
  'skipped_active_run',
  'loop_guard',
  'workflow_not_published',
  'over_quota',
])
export type Decision = z.infer<typeof Decision>

export const Delivery = z.object({
  event_id: z.uuid(),
  subscription_id: z.uuid(),
  subscription_name: z.string(),
  workflow_id: z.uuid(),
  workflow_name: z.string(),
  decision: Decision,
  run_id: z.uuid().nullable(),
  reason: z.string().nullable(),
  decided_at: z.int(),
})
export type Delivery = z.infer<typeof Delivery>
/** `pending` while the event has not been dispatched yet. */
export const DeliveryList = z.object({ data: z.array(Delivery), pending: z.boolean() })
const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** GET `/api/v1/events/outcomes`: up to 100 ids, separated by commas. */
export const EventOutcomeQuery = z.strictObject({
  event_ids: z.string().regex(new RegExp(`^${uuid}(,${uuid}){0,99}$`), 'up to 100 event ids, separated by commas'),
})
/**
 * The outcome of an event in your scope: `waiting` to be dispatched, nobody subscribes to its type, subscriptions that
 * started nothing, runs, or a failure of the dispatch, of a run, or of every filter that could have started one. Where
 * decisions are kept for less time than events, `not_kept` says that there are none any more, if there were any.
 */
export const EventOutcome = z.object({
  event_id: z.uuid(),
  outcome: z.enum(['waiting', 'no_subscriber', 'not_started', 'started', 'failed', 'not_kept']),
  /** The runs it started; of those the failed ones, and those that are not finished. */
  runs: z.int(),
  failed_runs: z.int(),
  active_runs: z.int(),
})
export type EventOutcome = z.infer<typeof EventOutcome>
/** Ids that you can't see are left out. */
export const EventOutcomeList = z.object({ data: z.array(EventOutcome) })
/** GET `/api/v1/events/deliveries`: what was decided for all events of one process, in the order of the decisions. */
export const ProcessDeliveryQuery = z.strictObject({ correlation_id: CorrelationId })
export const ProcessDeliveryList = z.object({ data: z.array(Delivery) })

/** GET `/api/v1/events/dead-letters`: dispatches that failed permanently. */
export const DeadLetter = z.object({
  id: z.uuid(),
  event: ListedEvent,
  error: z.string(),
  attempts: z.int(),
  failed_at: z.int(),
})
export type DeadLetter = z.infer<typeof DeadLetter>
export const DeadLetterList = z.object({ items: z.array(DeadLetter), total: z.int() })

export const DeadLetterQuery = z.strictObject(paging(50))
