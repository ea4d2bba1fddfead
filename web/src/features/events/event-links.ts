/** URLs around an event, provided by the pages. */
export interface EventLinks {
  /** The event itself, in the list of its own process if one is given. */
  event: (eventId: string, correlationId?: string) => string
  timeline: (correlationId: string) => string
  run: (workflowId: string, runId: string, nodeId?: string) => string
  workflow: (workflowId: string) => string
}
