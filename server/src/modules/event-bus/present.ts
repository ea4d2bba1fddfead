/** Turns rows into the JSON of the API. */
import type { BusEvent, DeadLetter, Delivery, IngestReply, ListedEvent } from '@chancery/contract/workflows/events.ts'
import type { z } from 'zod'
import type { PublishedEvent, StoredEvent } from './interface.ts'
import type { DeadLetterRow } from './queries/dead-letters.ts'
import type { DeliveryRow } from './queries/deliveries.ts'

export const presentEvent = (event: StoredEvent): BusEvent => ({
  event_id: event.eventId,
  event_type: event.eventType,
  source: event.source,
  correlation_id: event.correlationId,
  user_id: event.userId,
  payload: event.payload,
  published_at: event.publishedAt.getTime(),
})

export const presentListed = (event: StoredEvent): ListedEvent => ({
  ...presentEvent(event),
  seq: event.seq,
  causation_run_id: event.causationRunId,
})

export const presentPublished = ({ event, duplicate }: PublishedEvent): z.infer<typeof IngestReply> => ({
  event_id: event.eventId,
  event_type: event.eventType,
  correlation_id: event.correlationId,
  source: event.source,
  published_at: event.publishedAt.getTime(),
  duplicate,
})

export const presentDelivery = (row: DeliveryRow, workflowName: string): Delivery => ({
  event_id: row.eventId,
  subscription_id: row.subscriptionId,
  subscription_name: row.subscriptionName,
  workflow_id: row.workflowId,
  workflow_name: workflowName,
  decision: row.decision,
  run_id: row.runId,
  reason: row.reason,
  decided_at: row.decidedAt.getTime(),
})

export const presentDeadLetter = (row: DeadLetterRow, event: StoredEvent): DeadLetter => ({
  id: row.id,
  event: presentListed(event),
  error: row.error,
  attempts: row.attempts,
  failed_at: row.failedAt.getTime(),
})
