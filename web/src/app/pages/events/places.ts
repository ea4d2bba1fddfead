/** The routes of events and related pages. */
import type { EventPlaces } from '#features/events/places.ts'
import { withQuery } from '#lib/api.ts'
import { runPlaces, workflowHref } from '../workflows/places.ts'

export const eventPlaces: EventPlaces = {
  event: (eventId, correlationId) => withQuery('/events', { correlation: correlationId, event: eventId }),
  timeline: runPlaces.timeline,
  run: runPlaces.run,
  workflow: workflowHref,
}
