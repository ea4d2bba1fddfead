/** Renders links around a run; the pages know the routes. */
export interface RunPlaces {
  run: (workflowId: string, runId: string, nodeId?: string) => string
  version: (workflowId: string, version: number) => string
  event: (eventId: string) => string
  timeline: (correlationId: string) => string
}
