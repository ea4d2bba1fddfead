/** Where the things around a run are looked at; the pages know the addresses. */
export interface RunPlaces {
  run: (workflowId: string, runId: string, nodeId?: string) => string
  version: (workflowId: string, version: number) => string
  event: (eventId: string) => string
  timeline: (correlationId: string) => string
}
