/** Runs and steps as the API shows them. */
import type { RunItem, RunStep, RunStepHead } from '@chancery/contract/workflows/runs.ts'
import { unixSeconds } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Spending } from '../core/cost.ts'
import type { RunHeadRow } from '../queries/runs.ts'
import type { StepHeadRow, StepRow } from '../queries/steps.ts'
import type { PinnedGraph } from '../shared/graphs.ts'
import { describeActing } from './describe-acting.ts'

const secondsOrNull = (time: Date | null): number | null => (time === null ? null : unixSeconds(time))
const between = (from: Date | null, to: Date | null): number | null =>
  from === null || to === null ? null : Math.max(0, to.getTime() - from.getTime())

/** The stored amount is exact; a JSON number is close enough. Without any price the cost is unknown, not partial. */
const presentCost = ({ cost, hasUnpriced }: Spending) => ({
  cost: cost === null ? null : Number(cost),
  cost_is_partial: cost !== null && hasUnpriced,
})

const presentHead = (run: RunHeadRow, actsFor: RunItem['acts_for']): RunItem => ({
  id: run.id,
  workflow_id: run.workflowId,
  workflow_name: run.workflowName,
  version_id: run.versionId,
  version: run.version,
  status: run.status,
  trigger: run.triggerKind,
  is_test: run.isTest,
  user_id: run.userId,
  acts_for: actsFor,
  event_id: run.eventId,
  correlation_id: run.correlationId,
  error: run.error,
  prompt_tokens: run.promptTokens,
  completion_tokens: run.completionTokens,
  ...presentCost(run),
  currency: run.currency,
  created_at: unixSeconds(run.createdAt),
  started_at: secondsOrNull(run.startedAt),
  started_at_ms: run.startedAt?.getTime() ?? null,
  finished_at: secondsOrNull(run.finishedAt),
  duration_ms: between(run.startedAt, run.finishedAt),
  retry_of: run.retryOf,
  replay_of: run.replayOf,
  parent_run_id: run.parentRunId,
  parent_node_id: run.parentStep?.split('#')[0] ?? null,
})

export const presentRuns = async (db: Db, runs: readonly RunHeadRow[]): Promise<RunItem[]> => {
  const actsFor = await describeActing(db, runs)
  return runs.map((run) => presentHead(run, actsFor(run)))
}

export const presentRun = async (db: Db, run: RunHeadRow): Promise<RunItem> =>
  presentHead(run, (await describeActing(db, [run]))(run))

/** The parts of a run that presenting a step needs: the pinned graph, and when the run started. */
export interface StepContext {
  pinned: PinnedGraph | undefined
  run: Pick<RunHeadRow, 'startedAt' | 'createdAt'>
}

/** When the workflow was deleted, the node's name is gone and its id is shown. */
export const presentStepHead = (step: StepHeadRow, { pinned, run }: StepContext): RunStepHead => {
  const node = pinned?.nodes.get(step.nodeId)
  return {
    id: step.id,
    number: step.number,
    node_id: step.nodeId,
    node_name: node?.name ?? step.nodeId,
    node_type: node?.type ?? '',
    status: step.status,
    attempt: step.attempt,
    handle: step.handle,
    error: step.error,
    warnings: step.warnings ?? [],
    prompt_tokens: step.promptTokens,
    completion_tokens: step.completionTokens,
    ...presentCost(step),
    started_at: unixSeconds(step.startedAt),
    offset_ms: step.startedAt.getTime() - (run.startedAt ?? run.createdAt).getTime(),
    finished_at: secondsOrNull(step.finishedAt),
    duration_ms: between(step.startedAt, step.finishedAt),
    wake_at: secondsOrNull(step.wakeAt),
  }
}

export const presentStep = (step: StepRow, context: StepContext): RunStep => ({
  ...presentStepHead(step, context),
  input: step.input,
  output: step.output,
  logs: step.logs ?? [],
})
