/** Events as runs see them. Pure. */
import { compileFilter, filterValues, type StoredEvent } from '#modules/event-bus/index.ts'

/** Exactly these fields (contract, Event subscription). */
export const eventState = ({ eventId, eventType, payload, correlationId, source, publishedAt }: StoredEvent) => ({
  id: eventId,
  type: eventType,
  payload,
  correlation_id: correlationId,
  source,
  published_at: publishedAt.getTime(),
})

/** Whether a waiting node takes an event. Its filter is that of a subscription; one that fails doesn't match. */
export const createEventTest = (filterExpr: string | null): ((event: StoredEvent) => boolean) => {
  if (filterExpr === null) return () => true
  const filter = compileFilter(filterExpr)
  return (event) => {
    const verdict = filter(filterValues(event))
    return 'holds' in verdict && verdict.holds
  }
}
