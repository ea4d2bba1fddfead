/**
 * Continues from where a run failed. An ended run never changes: a new run takes over the finished results, on the same
 * snapshot and with the same input, and starts at the nodes that have none. It points to the first run of its line.
 *
 * A line of retries continues at its end, whichever of its runs is named, so that nothing a later retry finished is
 * repeated. Once a retry has succeeded there is nothing left to do.
 */
import { terminalRunStatuses } from '@chancery/contract/workflow-runs.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { EngineContext } from './context.ts'
import { insertNewRuns } from './create-runs.ts'
import { getRun } from './get-run.ts'
import { copyFinishedStepsUnscoped, listStepHeadsUnscoped, lockRetryLineUnscoped, type RunRow } from './queries/runs.ts'

const retryable: readonly RunRow['status'][] = ['failed', 'cancelled', 'timed_out']

export const retryRun = async (context: EngineContext, actor: Actor, id: string): Promise<RunRow> => {
  const { kernel, graphs, organizations } = context
  const before = await getRun(kernel.db, actor, id)
  if (!retryable.includes(before.status)) throw new AppError('run_not_retryable')
  if (!(await graphs.find(before))) throw new AppError('workflow_not_found')
  const run = await kernel.db.transaction().execute(async (tx) => {
    await organizations.requireWritable(tx, actor)
    const last = await lockRetryLineUnscoped(tx, before)
    await requireRetryable(tx, last)
    const retry = buildRetry(context, last)
    const [created] = await insertNewRuns(tx, [retry])
    if (created && 'blockedBy' in created) throw new AppError('run_active')
    await kernel.failpoints.hit('retry: run made')
    await copyFinishedStepsUnscoped(tx, { from: last.id, to: retry.id })
    await kernel.failpoints.hit('retry: steps copied')
    return retry
  })
  await kernel.failpoints.hit('retry: committed')
  context.wake()
  return run
}

/** `last` is the last run of its line. */
const requireRetryable = async (tx: Db, { id, status, startedAt }: RunRow): Promise<void> => {
  if (status === 'succeeded') throw new AppError('run_retried')
  if (!terminalRunStatuses.includes(status))
    throw new AppError('run_active', { detail: 'This run is already being retried.' })
  const hasLostSteps = startedAt !== null && (await listStepHeadsUnscoped(tx, [id])).length === 0
  if (hasLostSteps)
    throw new AppError('run_not_retryable', {
      detail: "The steps of this run were deleted after their retention period, so it can't continue.",
    })
}

/** It has no parent: the parent of the first run was told that it failed. It has as much time as the first had. */
const buildRetry = ({ kernel: { clock, ids } }: EngineContext, before: RunRow): RunRow => {
  const now = clock.now()
  // Always later than the run before, whose time may come from another node's clock: the last of a line is found by it.
  const createdAt = new Date(Math.max(now.getTime(), before.createdAt.getTime() + 1))
  const allowedMs = before.deadlineAt.getTime() - before.createdAt.getTime()
  return {
    ...before,
    id: ids.next(),
    status: 'queued',
    retryOf: before.retryOf ?? before.id,
    parentRunId: null,
    parentStep: null,
    output: null,
    error: null,
    promptTokens: 0,
    completionTokens: 0,
    cost: null,
    currency: null,
    hasUnpriced: false,
    epoch: 0,
    nudges: 0,
    leaseNode: null,
    leaseUntil: null,
    wakeAt: now,
    createdAt,
    startedAt: null,
    finishedAt: null,
    deadlineAt: new Date(now.getTime() + allowedMs),
  }
}
