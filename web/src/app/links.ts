/** The URLs that features link to. */

import { withQuery } from '@chancery/contract/reading/address.ts'
import type { EventLinks } from '#features/events/event-links.ts'
import type { RunLinks } from '#features/workflows/runs/run-links.ts'
import { firstComparison } from '#features/workflows/versions/side-labels.ts'

export const workflowHref = (workflowId: string): string => `/workflows/${encodeURIComponent(workflowId)}`

export const runLinks: RunLinks = {
  run: (workflowId, runId, nodeId) => withQuery(`${workflowHref(workflowId)}/runs/${runId}`, { step: nodeId }),
  version: (workflowId, version) => withQuery(`${workflowHref(workflowId)}/versions`, firstComparison(version)),
  event: (eventId) => withQuery('/events', { event: eventId }),
  timeline: (correlationId) => `/events/timeline/${encodeURIComponent(correlationId)}`,
}

export const eventLinks: EventLinks = {
  event: (eventId, correlationId) => withQuery('/events', { correlation: correlationId, event: eventId }),
  timeline: runLinks.timeline,
  run: runLinks.run,
  workflow: workflowHref,
}
