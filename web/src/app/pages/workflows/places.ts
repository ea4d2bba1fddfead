/** The routes of runs and related pages, for features that link there. */
import type { RunPlaces } from '#features/workflows/runs/places.ts'
import { firstComparison } from '#features/workflows/versions/side-words.ts'
import { withQuery } from '#lib/api.ts'

export const workflowHref = (workflowId: string): string => `/workflows/${encodeURIComponent(workflowId)}`

export const runPlaces: RunPlaces = {
  run: (workflowId, runId, nodeId) => withQuery(`${workflowHref(workflowId)}/runs/${runId}`, { step: nodeId }),
  version: (workflowId, version) => withQuery(`${workflowHref(workflowId)}/versions`, firstComparison(version)),
  event: (eventId) => withQuery('/events', { event: eventId }),
  timeline: (correlationId) => `/events/timeline/${encodeURIComponent(correlationId)}`,
}
