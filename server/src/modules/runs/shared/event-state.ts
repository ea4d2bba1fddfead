/** Events as runs see them. Pure. */
import type { StoredEvent } from '#modules/event-bus/index.ts'

/** Exactly these fields (contract, Event subscription). */
export const eventState = ({
  eventId,
  eventType,
  payload,
  correlationId,
  source,
  publishedAt,
}: Pick<StoredEvent, 'eventId' | 'eventType' | 'payload' | 'correlationId' | 'source' | 'publishedAt'>) => ({
  id: eventId,
  type: eventType,
  payload,
  correlation_id: correlationId,
  source,
  published_at: publishedAt.getTime(),
})
