/** Ends runs from outside: cancelled by someone, or past their deadline. The node that holds them loses them at once. */
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { isTransient } from './core/backoff.ts'
import { cancelStepsUnscoped, endRunsUnscoped, nudgeRunsUnscoped, type RunRow } from './queries/claims.ts'
import type { RunNotifier } from './run-notifier.ts'

export interface EndReason {
  status: 'cancelled' | 'timed_out'
  error: string
}

export type EndedRuns = readonly RunRow[]

/** Called in the transaction that ends the runs. */
export type RecordEnd = (tx: Db, ended: EndedRuns) => Promise<void>

interface Needs {
  kernel: Pick<Kernel, 'clock' | 'db' | 'failpoints'>
  notifier: Pick<RunNotifier, 'nudge'>
}

export const endRunsIn = async (
  { kernel: { clock, failpoints } }: Needs,
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

/** Returns the runs that it ended; those that had ended before are as they were. */
export const endRuns = async (
  needs: Needs,
  { ids, reason, record }: { ids: readonly string[]; reason: EndReason; record: RecordEnd | undefined },
): Promise<EndedRuns> => {
  const { db, failpoints } = needs.kernel
  for (let attempt = 1; ; attempt++)
    try {
      const ended = await db.transaction().execute(async (tx) => {
        const runs = await endRunsIn(needs, tx, { ids, reason })
        await record?.(tx, runs)
        return runs
      })
      await failpoints.hit('end: committed')
      needs.notifier.nudge(ended.flatMap(({ id, parentRunId }) => [id, ...(parentRunId === null ? [] : [parentRunId])]))
      return ended
    } catch (problem) {
      // A run, its children and their holders may deadlock; PostgreSQL makes one of them try again.
      if (attempt === maxTries || !isTransient(problem)) throw problem
    }
}
