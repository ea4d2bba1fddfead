/**
 * Goes on from where a run failed. What has ended stays as it was: a new run takes over the finished results, on the same
 * snapshot and with the same input, and begins at the nodes that have none. It points to the first of its line.
 */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { EngineContext } from './context.ts'
import { insertDrafts } from './create-runs.ts'
import { getRun } from './get-run.ts'
import { copyFinishedSteps, listSteps, lockRetryLineUnscoped, type RunRow } from './queries/runs.ts'

const retryable: readonly RunRow['status'][] = ['failed', 'cancelled', 'timed_out']

export const retryRun = async (context: EngineContext, actor: Actor, id: string): Promise<RunRow> => {
  const { kernel, graphs, organizations } = context
  const before = await getRun(kernel.db, actor, id)
  if (!retryable.includes(before.status)) throw new AppError('run_not_retryable')
  if (!(await graphs.find(before))) throw new AppError('workflow_not_found')
  const hasLostSteps = before.startedAt !== null && (await listSteps(kernel.db, [id])).length === 0
  if (hasLostSteps) throw new AppError('run_not_retryable', { detail: 'What this run had done is no longer kept.' })
  const run = again(context, before)
  await kernel.db.transaction().execute(async (tx) => {
    await organizations.requireWritable(tx, actor)
    if (await lockRetryLineUnscoped(tx, before))
      throw new AppError('run_active', { detail: 'This run is being retried already.' })
    const [created] = await insertDrafts(tx, [run])
    if (created && 'blockedBy' in created) throw new AppError('run_active')
    await kernel.failpoints.hit('retry: run made')
    await copyFinishedSteps(tx, { from: id, to: run.id })
    await kernel.failpoints.hit('retry: steps copied')
  })
  await kernel.failpoints.hit('retry: committed')
  context.wake()
  return run
}

/** As long as the first was given. It belongs to nobody else's node: whoever waited for the first was told it failed. */
const again = ({ kernel: { clock, ids } }: EngineContext, before: RunRow): RunRow => {
  const now = clock.now()
  const allowedMs = before.deadlineAt.getTime() - before.createdAt.getTime()
  return {
    ...before,
    ...{ id: ids.next(), status: 'queued', retryOf: before.retryOf ?? before.id, parentRunId: null, parentStep: null },
    ...{ output: null, error: null, promptTokens: 0, completionTokens: 0, epoch: 0, nudges: 0 },
    ...{ leaseNode: null, leaseUntil: null, wakeAt: now, createdAt: now, startedAt: null, finishedAt: null },
    deadlineAt: new Date(now.getTime() + allowedMs),
  }
}
