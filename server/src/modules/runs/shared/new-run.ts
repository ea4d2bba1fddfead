/** A run as whatever starts it asks for it. */
import type { RunItem } from '@chancery/contract/workflows/runs.ts'

/** The live snapshot of a workflow, read in the transaction that starts the run. */
export interface LiveVersion {
  workflowId: string
  workflowName: string
  scopeId: string
  versionId: string
  version: number
  graphHash: string
  spaceId: string | null
  /** On whose behalf triggered runs call models and tools; null is the owner of the scope. */
  runAsUserId: string | null
  deadlineSec: number
}

export interface NewRun {
  live: LiveVersion
  trigger: { kind: RunItem['trigger']; id: string | null }
  /** The whole initial state: `{input}` for manual and cron runs, `{_event}` for those an event started. */
  input: Record<string, unknown>
  eventId: string | null
  correlationId: string | null
  isOnePerCorrelation: boolean
  /** Tries a draft; `dry` runs no node that reaches other systems or people. */
  test?: 'full' | 'dry'
  /** The run whose input this one has. */
  replayOf?: string
  userId: string | null
  /** The routes of the credential that starts it. */
  allowedRoutes: readonly string[] | null
  catalogId: string | null
  spaceId: string | null
  parent: { runId: string; step: string; rootId: string } | null
  /** The cause of the run, for the loop guard of its events. */
  cause: { hop: number; chain: readonly string[]; rootEventId: string | null }
}

/** In the order of the new runs. `blockedBy` is the active run of the same correlation. */
export type CreatedRun = { runId: string } | { blockedBy: string }
