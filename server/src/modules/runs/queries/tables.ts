/** Tables of runs, their steps, and what these wait for. */
import type { RunItem, RunStatus, RunStep } from '@chancery/contract/workflows/runs.ts'
import type { ModelCall } from '@chancery/contract/workflows/traces.ts'
import type { z } from 'zod'

export interface RunsTable {
  id: string
  workflowId: string
  workflowName: string
  versionId: string
  version: number
  graphHash: string
  scopeId: string
  status: RunStatus
  triggerKind: RunItem['trigger']
  triggerId: string | null
  eventId: string | null
  correlationId: string | null
  isOnePerCorrelation: boolean
  /** It tries a draft. */
  isTest: boolean
  /** Nodes that reach other systems or people are not run. */
  isDry: boolean
  userId: string | null
  /** The routes of the key that started it: its tools are held to them, too. Null without such a key. */
  allowedRoutes: string[] | null
  catalogId: string | null
  spaceId: string | null
  parentRunId: string | null
  parentStep: string | null
  /** The run at the top of its tree; null for that run itself. */
  rootRunId: string | null
  /** Of a run at the top: how many runs were started below it. */
  descendants: number
  retryOf: string | null
  replayOf: string | null
  hop: number
  chain: string[]
  rootEventId: string | null
  input: Record<string, unknown>
  output: unknown
  error: string | null
  promptTokens: number
  completionTokens: number
  cost: string | null
  currency: string | null
  hasUnpriced: boolean
  /** The kept characters of its model calls. */
  traceSize: number
  epoch: number
  /** How often it was claimed since it last made progress. */
  claims: number
  /** Since when it is held back, because it ended the nodes that claimed it. */
  heldAt: Date | null
  /** It has ended, and its active children are still to be ended. */
  endsChildren: boolean
  leaseNode: string | null
  leaseUntil: Date | null
  wakeAt: Date | null
  nudges: number
  /** Moves on by the time for which the run only waited. */
  deadlineAt: Date
  /** Since when the deadline doesn't count, because the run only waits; null while it does. */
  waitingSince: Date | null
  /** By how much the deadline has moved. */
  waitedMs: number
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}

export interface RunStepsTable {
  id: string
  runId: string
  /** In the order in which the steps of the run started, from 1; 0 in steps from before they were numbered. */
  number: number
  nodeId: string
  attempt: number
  status: z.infer<typeof RunStep>['status']
  input: unknown
  output: unknown
  handle: string | null
  error: string | null
  /** Problems that didn't stop it. */
  warnings: string[] | null
  /** Lines that its code logged. */
  logs: string[] | null
  promptTokens: number
  completionTokens: number
  cost: string | null
  hasUnpriced: boolean
  wakeAt: Date | null
  startedAt: Date
  finishedAt: Date | null
  /** Incremented with each change. */
  revision: number
}

/** An agent's model call, as `ModelCall` has it. */
interface RunModelCallsTable {
  stepId: string
  number: number
  content: ModelCall
}

/**
 * The parts of the run that a wait's filter reads, as they were when the wait began. A name that it doesn't use is left
 * out.
 */
export interface FilterValues {
  input?: unknown
  state?: unknown
}

export interface RunWaitsTable {
  stepId: string
  runId: string
  scopeId: string
  eventType: string
  correlationId: string | null
  filterExpr: string | null
  filterValues: FilterValues | null
  createdAt: Date
  event: Record<string, unknown> | null
  arrivedAt: Date | null
}

/** Answered ones are evidence and stay when their run is deleted, as long as their organization says. */
export interface ApprovalsTable {
  stepId: string
  runId: string
  workflowId: string
  workflowName: string
  scopeId: string
  title: string
  message: string
  approvers: string[]
  askedAt: Date
  deadlineAt: Date | null
  approved: boolean | null
  comment: string | null
  answeredBy: string | null
  answeredByName: string | null
  answeredAt: Date | null
}

interface ApprovalRetentionTable {
  scopeId: string
  days: number
}

/** Failed runs that were seen to: each starts one run of an error workflow at most. */
interface RunErrorsTable {
  runId: string
  handledAt: Date
}

interface WorkflowRunHoursTable {
  workflowId: string
  hour: Date
  currency: string
  succeeded: number
  failed: number
  cancelled: number
  timedOut: number
  cost: string
  durations: Record<string, number>
  /** In milliseconds, by the same buckets. */
  durationSums: Record<string, number>
}

interface RunHoursFoldedTable {
  onlyOne: boolean
  until: Date
}

declare module '#kernel/db/tables.ts' {
  interface Tables {
    runs: RunsTable
    runSteps: RunStepsTable
    runModelCalls: RunModelCallsTable
    runWaits: RunWaitsTable
    approvals: ApprovalsTable
    approvalRetention: ApprovalRetentionTable
    workflowRunHours: WorkflowRunHoursTable
    runHoursFolded: RunHoursFoldedTable
    runErrors: RunErrorsTable
  }
}
