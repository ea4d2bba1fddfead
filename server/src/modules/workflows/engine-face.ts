/** The agreement between the parts of this module: what starts runs, and what runs them. */

import type { RunItem } from '@chancery/contract/workflow-runs.ts'
import type { Db } from '#kernel/db/database.ts'

/** What a workflow does when it is started now: its live snapshot. Read in the transaction that starts the run. */
export interface LiveVersion {
  workflowId: string
  workflowName: string
  scopeId: string
  versionId: string
  version: number
  graphHash: string
  spaceId: string | null
  /** On whose behalf models and tools are called. */
  authorId: string
  deadlineSec: number
}

/** Only workflows that are published: a live snapshot, and not taken back to Draft by a rollback. */
export type FindLiveVersions = (tx: Db, workflowIds: readonly string[]) => Promise<Map<string, LiveVersion>>

export interface NewRun {
  live: LiveVersion
  trigger: { kind: RunItem['trigger']; id: string | null }
  /** The whole initial state: `{input}` for manual and cron runs, `{_event}` for those an event started. */
  input: Record<string, unknown>
  eventId: string | null
  correlationId: string | null
  isOnePerCorrelation: boolean
  userId: string | null
  catalogId: string | null
  spaceId: string | null
  parent: { runId: string; step: string } | null
  /** How it came about, for the loop guard of what it publishes. */
  cause: { hop: number; chain: readonly string[]; rootEventId: string | null }
}

/** In the order of the new runs. `blockedBy` is the active run of the same correlation. */
export type CreatedRun = { runId: string } | { blockedBy: string }

export interface Engine {
  /** Inserts runs in the caller's transaction; they exist exactly when it commits. Call `wake` afterwards. */
  createRuns(tx: Db, runs: readonly NewRun[]): Promise<CreatedRun[]>
  /** Looks for runs to work on now instead of at the next poll. */
  wake(): void
}
