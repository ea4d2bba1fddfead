/** Where the things around an event are looked at; the pages know the addresses. */
export interface EventPlaces {
  /** The event itself, in a list of its own process where one is given. */
  event: (eventId: string, correlationId?: string) => string
  timeline: (correlationId: string) => string
  run: (workflowId: string, runId: string, nodeId?: string) => string
  workflow: (workflowId: string) => string
}
