/** Ends runs from outside: cancelled by someone, or past their deadline. The node that holds them loses them at once. */
import type { Db } from '#kernel/db/database.ts'
import { isTransient } from '../core/backoff.ts'
import { nudgeRunsUnscoped } from '../queries/claims.ts'
import { cancelStepsUnscoped, type EndedRun, endRunsUnscoped, listOverdueUnscoped } from '../queries/endings.ts'
import { listActiveOfWorkflowUnscoped } from '../queries/runs.ts'
import type { RunsContext } from '../shared/context.ts'

interface EndReason {
  status: 'cancelled' | 'timed_out'
  error: string
}

/** Called in the transaction that ends the runs. */
type RecordEnd = (tx: Db, ended: readonly EndedRun[]) => Promise<void>

export type EndingNeeds = Pick<RunsContext, 'kernel' | 'notifier' | 'hooks' | 'endFamilies'>

export const endRunsIn = async (
  { kernel: { clock, failpoints } }: Pick<EndingNeeds, 'kernel'>,
  tx: Db,
  { ids, reason }: { ids: readonly string[]; reason: EndReason },
): Promise<readonly EndedRun[]> => {
  const now = clock.now()
  const ended = await endRunsUnscoped(tx, ids, { ...reason, now })
  await failpoints.hit('end: runs ended')
  const endedIds = ended.map(({ id }) => id)
  await cancelStepsUnscoped(tx, endedIds, now)
  await failpoints.hit('end: steps cut')
  const parents = ended.flatMap(({ parentRunId }) => parentRunId ?? [])
  await nudgeRunsUnscoped(tx, [...new Set(parents)].sort(), now)
  await failpoints.hit('end: parents nudged')
  return ended
}

const maxTries = 5

/** Again after a deadlock: a run, its children and their holders may lock each other, and PostgreSQL ends one of them. */
export const againAfterDeadlock = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (problem) {
      if (attempt === maxTries || !isTransient(problem)) throw problem
    }
}

/** Returns the runs that it ended, whichever node held them; those that had ended before are as they were. */
export const endRuns = async (
  needs: EndingNeeds,
  ids: readonly string[],
  reason: EndReason,
  record?: RecordEnd,
): Promise<readonly EndedRun[]> => {
  const ended = await againAfterDeadlock(() =>
    needs.kernel.db.transaction().execute(async (tx) => {
      const runs = await endRunsIn(needs, tx, { ids, reason })
      await record?.(tx, runs)
      return runs
    }),
  )
  await needs.kernel.failpoints.hit('end: committed')
  announceEnds(needs, ended)
  return ended
}

/** After the commit: to holders, parents, metrics, and to the task that ends the children. */
export const announceEnds = ({ notifier, hooks, endFamilies }: EndingNeeds, ended: readonly EndedRun[]): void => {
  if (ended.length === 0) return
  notifier.nudge([
    ...new Set(ended.flatMap(({ id, parentRunId }) => (parentRunId === null ? [id] : [id, parentRunId]))),
  ])
  for (const { status } of ended) hooks.emit(status === 'timed_out' ? 'timed_out' : 'cancelled')
  if (ended.some(({ endsChildren }) => endsChildren)) endFamilies()
}

export const endOverdue = async (needs: EndingNeeds): Promise<void> => {
  const { clock, db } = needs.kernel
  const overdue = await listOverdueUnscoped(db, clock.now())
  if (overdue.length > 0)
    await endRuns(needs, overdue, { status: 'timed_out', error: 'The run exceeded its deadline.' })
}

/** In the transaction of whatever stops the workflow. Children are ended by the check that finds them, within a second. */
export const endRunsOfWorkflow = async (
  needs: Pick<EndingNeeds, 'kernel' | 'notifier'>,
  tx: Db,
  { workflowId, why }: { workflowId: string; why: string },
): Promise<void> => {
  const ids = await listActiveOfWorkflowUnscoped(tx, workflowId)
  const ended = await endRunsIn(needs, tx, { ids, reason: { status: 'cancelled', error: why } })
  const endedIds = ended.map(({ id }) => id)
  await needs.notifier.nudgeOnCommit(tx, endedIds)
}
