/** Ends runs from outside: cancelled by someone, or past their deadline. The node that holds them loses them at once. */
import type { Db } from '#kernel/db/database.ts'
import { isTransient } from '../core/backoff.ts'
import {
  cancelStepsUnscoped,
  endRunsUnscoped,
  listOverdueUnscoped,
  nudgeRunsUnscoped,
  type RunRow,
} from '../queries/claims.ts'
import { listActiveOfWorkflowUnscoped } from '../queries/runs.ts'
import type { RunsContext } from '../shared/context.ts'

interface EndReason {
  status: 'cancelled' | 'timed_out'
  error: string
}

type EndedRuns = readonly RunRow[]

/** Called in the transaction that ends the runs. */
type RecordEnd = (tx: Db, ended: EndedRuns) => Promise<void>

type Needs = Pick<RunsContext, 'kernel' | 'notifier' | 'hooks'>

const endRunsIn = async (
  { kernel: { clock, failpoints } }: Pick<Needs, 'kernel'>,
  tx: Db,
  { ids, reason }: { ids: readonly string[]; reason: EndReason },
): Promise<EndedRuns> => {
  const now = clock.now()
  const ended = await endRunsUnscoped(tx, ids, { ...reason, now })
  await failpoints.hit('end: runs ended')
  const endedIds = ended.map(({ id }) => id)
  await cancelStepsUnscoped(tx, endedIds, now)
  await failpoints.hit('end: steps cut')
  const parents = ended.flatMap(({ parentRunId }) => parentRunId ?? [])
  await nudgeRunsUnscoped(tx, parents, now)
  await failpoints.hit('end: parents nudged')
  return ended
}

const maxTries = 5

/** Returns the runs that it ended, whichever node held them; those that had ended before are as they were. */
export const endRuns = async (
  needs: Needs,
  ids: readonly string[],
  reason: EndReason,
  record?: RecordEnd,
): Promise<EndedRuns> => {
  const { kernel, notifier, hooks } = needs
  for (let attempt = 1; ; attempt++)
    try {
      const ended = await kernel.db.transaction().execute(async (tx) => {
        const runs = await endRunsIn(needs, tx, { ids, reason })
        await record?.(tx, runs)
        return runs
      })
      await kernel.failpoints.hit('end: committed')
      notifier.nudge(ended.flatMap(({ id, parentRunId }) => [id, ...(parentRunId === null ? [] : [parentRunId])]))
      for (const { status } of ended) hooks.emit(status === 'timed_out' ? 'timed_out' : 'cancelled')
      return ended
    } catch (problem) {
      // A run, its children and their holders may deadlock; PostgreSQL makes one of them try again.
      if (attempt === maxTries || !isTransient(problem)) throw problem
    }
}

export const endOverdue = async (needs: Needs): Promise<void> => {
  const { clock, db } = needs.kernel
  const overdue = await listOverdueUnscoped(db, clock.now())
  if (overdue.length > 0)
    await endRuns(needs, overdue, { status: 'timed_out', error: 'The run exceeded its deadline.' })
}

/** In the transaction of whatever stops the workflow. */
export const endRunsOfWorkflow = async (
  needs: Pick<Needs, 'kernel' | 'notifier'>,
  tx: Db,
  { workflowId, why }: { workflowId: string; why: string },
): Promise<void> => {
  const ids = await listActiveOfWorkflowUnscoped(tx, workflowId)
  const ended = await endRunsIn(needs, tx, { ids, reason: { status: 'cancelled', error: why } })
  const endedIds = ended.map(({ id }) => id)
  await needs.notifier.nudgeOnCommit(tx, endedIds)
}
