/** URLs around a run, provided by the pages. */
export interface RunLinks {
  run: (workflowId: string, runId: string, nodeId?: string) => string
  version: (workflowId: string, version: number) => string
  event: (eventId: string) => string
  timeline: (correlationId: string) => string
}
