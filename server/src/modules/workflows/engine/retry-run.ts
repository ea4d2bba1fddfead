/**
 * Goes on from where a run failed. What has ended stays as it was: a new run takes over the finished results, on the same
 * snapshot and with the same input, and begins at the nodes that have none. It points to the first of its line.
 *
 * A line of retries is gone on with at its end, whichever of its runs is named: what a later try has finished is not done
 * again. Once a try has succeeded there is nothing left to do.
 */
import { terminalRunStatuses } from '@chancery/contract/workflow-runs.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { EngineContext } from './context.ts'
import { insertDrafts } from './create-runs.ts'
import { getRun } from './get-run.ts'
import { copyFinishedSteps, listStepHeads, lockRetryLineUnscoped, type RunRow } from './queries/runs.ts'

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
    const made = again(context, last)
    const [created] = await insertDrafts(tx, [made])
    if (created && 'blockedBy' in created) throw new AppError('run_active')
    await kernel.failpoints.hit('retry: run made')
    await copyFinishedSteps(tx, { from: last.id, to: made.id })
    await kernel.failpoints.hit('retry: steps copied')
    return made
  })
  await kernel.failpoints.hit('retry: committed')
  context.wake()
  return run
}

/** The last of its line. */
const requireRetryable = async (tx: Db, { id, status, startedAt }: RunRow): Promise<void> => {
  if (status === 'succeeded') throw new AppError('run_retried')
  if (!terminalRunStatuses.includes(status))
    throw new AppError('run_active', { detail: 'This run is being retried already.' })
  const hasLostSteps = startedAt !== null && (await listStepHeads(tx, [id])).length === 0
  if (hasLostSteps) throw new AppError('run_not_retryable', { detail: 'What this run had done is no longer kept.' })
}

/** As long as the first was given. It belongs to nobody else's node: whoever waited for the first was told it failed. */
const again = ({ kernel: { clock, ids } }: EngineContext, before: RunRow): RunRow => {
  const now = clock.now()
  // Later than the one before, though another node's clock may have made that: the last of a line is found by it.
  const createdAt = new Date(Math.max(now.getTime(), before.createdAt.getTime() + 1))
  const allowedMs = before.deadlineAt.getTime() - before.createdAt.getTime()
  return {
    ...before,
    ...{ id: ids.next(), status: 'queued', retryOf: before.retryOf ?? before.id, parentRunId: null, parentStep: null },
    ...{ output: null, error: null, promptTokens: 0, completionTokens: 0, epoch: 0, nudges: 0 },
    ...{ cost: null, currency: null, hasUnpriced: false },
    ...{ leaseNode: null, leaseUntil: null, wakeAt: now, createdAt, startedAt: null, finishedAt: null },
    deadlineAt: new Date(now.getTime() + allowedMs),
  }
}
