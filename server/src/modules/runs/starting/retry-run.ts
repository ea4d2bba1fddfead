/**
 * Continues from where a run failed. An ended run never changes: a new run takes over the finished results, on the same
 * snapshot and with the same input, and starts at the nodes that have none. It points to the first run of its line.
 *
 * A line of retries continues at its end, whichever of its runs is named, so that nothing a later retry finished is
 * repeated. Once a retry has succeeded there is nothing left to do.
 */
import { can } from '@chancery/contract/abilities.ts'
import { terminalRunStatuses } from '@chancery/contract/workflows/runs.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { routesInBoth } from '#kernel/http/gate/normalise-path.ts'
import { findRunUnscoped } from '../queries/children.ts'
import { lockRetryLineUnscoped, type RunRow } from '../queries/runs.ts'
import { copyFinishedStepsUnscoped } from '../queries/steps.ts'
import { takeRun } from '../quotas.ts'
import type { RunsContext } from '../shared/context.ts'
import { buildRetry, insertNewRuns, rootOf } from '../shared/create-runs.ts'
import { getRun } from '../shared/get-run.ts'
import { hasLostSteps, lostSteps } from '../shared/lost-steps.ts'
import type { NewRun } from '../shared/new-run.ts'
import { recordRunAction } from '../shared/record-run-action.ts'

const retryable: readonly RunRow['status'][] = ['failed', 'cancelled', 'timed_out']

export const retryRun = async (
  context: RunsContext,
  actor: Actor,
  { id, from }: { id: string; from: Origin },
): Promise<RunRow> => {
  const { kernel, graphs, organizations } = context
  await takeRun(kernel, actor)
  const before = await getRun(kernel.db, actor, id)
  if (!retryable.includes(before.status)) throw new AppError('run_not_retryable')
  if (!(await graphs.find(before))) throw new AppError('workflow_not_found')
  const run = await kernel.db.transaction().execute(async (tx) => {
    await organizations.requireWritable(tx, actor)
    const last = await lockRetryLineUnscoped(tx, before)
    await requireRetryable(tx, last)
    const retry = await insertRetry(context, tx, {
      last,
      actor,
      parent: await retryParent(context, tx, { actor, child: last }),
    })
    await recordRunAction(context, tx, { action: 'retry', actor, from, run: retry, detail: { retried: last.id } })
    return retry
  })
  await kernel.failpoints.hit('retry: committed')
  context.wake()
  return run
}

interface Continued {
  actor: Actor
  /** The last run of its line. */
  last: RunRow
  parent: NewRun['parent']
}

const insertRetry = async ({ kernel }: RunsContext, tx: Db, { actor, last, parent }: Continued): Promise<RunRow> => {
  // The parent of a retried child may be such a test too.
  if (last.isTest && !last.isDry && !can(actor, 'test-with-effects')) throw new AppError('forbidden')
  const allowedRoutes = routesInBoth(last.allowedRoutes, actor.credential.allowedRoutes)
  const retry = { ...buildRetry(kernel, last, parent), allowedRoutes }
  const [created] = await insertNewRuns(tx, [retry])
  if (created && 'blockedBy' in created) throw new AppError('run_active')
  await kernel.failpoints.hit('retry: run made')
  await copyFinishedStepsUnscoped(tx, { from: last.id, to: retry.id })
  await kernel.failpoints.hit('retry: steps copied')
  return retry
}

/**
 * Retries the parent that failed with this child, so that it continues when the child's retry has succeeded. Null when the
 * parent went on without the child.
 */
const retryParent = async (
  context: RunsContext,
  tx: Db,
  { actor, child }: { actor: Actor; child: RunRow },
): Promise<NewRun['parent']> => {
  const { parentRunId, parentStep } = child
  const parent = parentRunId === null ? undefined : await findRunUnscoped(tx, parentRunId)
  if (!parent || parentStep === null) return null
  const last = await lockRetryLineUnscoped(tx, parent)
  const isActive = !terminalRunStatuses.includes(last.status)
  if (isActive && last.id !== parent.id)
    throw new AppError('run_active', { detail: 'The run that started this one is already being retried.' })
  if (!retryable.includes(last.status) || !(await context.graphs.find(last)) || (await hasLostSteps(tx, last)))
    return null
  const grandparent = await retryParent(context, tx, { actor, child: last })
  const retry = await insertRetry(context, tx, { actor, last, parent: grandparent })
  return { runId: retry.id, step: parentStep, rootId: rootOf(retry) }
}

/** `last` is the last run of its line. */
const requireRetryable = async (tx: Db, last: RunRow): Promise<void> => {
  const { status } = last
  if (status === 'succeeded') throw new AppError('run_retried')
  if (!terminalRunStatuses.includes(status))
    throw new AppError('run_active', { detail: 'This run is already being retried.' })
  if (await hasLostSteps(tx, last)) throw new AppError('run_not_retryable', { detail: lostSteps })
}
