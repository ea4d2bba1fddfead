/** What a run sees of an event: exactly these fields (contract, Event subscription). Pure. */
import type { StoredEvent } from '#modules/event-bus/index.ts'

export const eventState = ({ eventId, eventType, payload, correlationId, source, publishedAt }: StoredEvent) => ({
  ...{ id: eventId, type: eventType, payload, correlation_id: correlationId, source },
  published_at: publishedAt.getTime(),
})
