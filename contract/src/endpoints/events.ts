/** The event bus. */

import { del, get, post } from '../endpoint.ts'
import {
  DeadLetterList,
  DeadLetterQuery,
  DeliveryList,
  EventList,
  EventListQuery,
  EventOutcomeList,
  EventOutcomeQuery,
  EventStreamQuery,
  IngestBody,
  IngestReply,
  ListedEvent,
  ProcessDeliveryList,
  ProcessDeliveryQuery,
} from '../workflows/events.ts'

export const listDeadLetters = get('/api/v1/events/dead-letters', { query: DeadLetterQuery, reply: DeadLetterList })
export const retryDeadLetter = post('/api/v1/events/dead-letters/:id/retry')
export const discardDeadLetter = del('/api/v1/events/dead-letters/:id')
export const listEvents = get('/api/v1/events', { query: EventListQuery, reply: EventList })
export const followEvents = get('/api/v1/events/stream', { query: EventStreamQuery, reply: 'raw' })
export const listOutcomes = get('/api/v1/events/outcomes', { query: EventOutcomeQuery, reply: EventOutcomeList })
export const listDeliveries = get('/api/v1/events/deliveries', {
  query: ProcessDeliveryQuery,
  reply: ProcessDeliveryList,
})
export const getEvent = get('/api/v1/events/:eventId', { reply: ListedEvent })
export const listEventDeliveries = get('/api/v1/events/:eventId/deliveries', { reply: DeliveryList })
export const ingestEvent = post('/api/v1/events/ingest', {
  body: IngestBody,
  reply: IngestReply,
  status: 202,
  takesKey: true,
})
