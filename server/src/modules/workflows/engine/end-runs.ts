/** Ends runs from outside: cancelled by somebody, or out of time. Whoever works on them loses them that moment. */
import type { Db } from '#kernel/db/database.ts'
import type { EngineContext } from './context.ts'
import { isPassing } from './group-writer.ts'
import { cutStepsUnscoped, endRunsUnscoped, nudgeRunsUnscoped, type RunRow } from './queries/claims.ts'

interface Ending {
  status: 'cancelled' | 'timed_out'
  error: string
}

type Needs = Pick<EngineContext, 'kernel' | 'changes'>

export const endRunsIn = async (context: Needs, tx: Db, ids: readonly string[], ending: Ending): Promise<RunRow[]> => {
  const now = context.kernel.clock.now()
  const ended = await endRunsUnscoped(tx, ids, { ...ending, now })
  await context.kernel.failpoints.hit('end: runs ended')
  await cutStepsUnscoped(
    tx,
    ended.map(({ id }) => id),
    now,
  )
  await context.kernel.failpoints.hit('end: steps cut')
  const parents = ended.flatMap(({ parentRunId }) => parentRunId ?? [])
  await nudgeRunsUnscoped(tx, parents, now)
  await context.kernel.failpoints.hit('end: parents nudged')
  return ended
}

const tries = 5

/** Answers the runs that it ended; those that had ended before are as they were. */
export const endRuns = async (context: Needs, ids: readonly string[], ending: Ending): Promise<RunRow[]> => {
  for (let attempt = 1; ; attempt++)
    try {
      const ended = await context.kernel.db.transaction().execute((tx) => endRunsIn(context, tx, ids, ending))
      await context.kernel.failpoints.hit('end: committed')
      context.changes.nudge([...ended.map(({ id }) => id), ...ended.flatMap(({ parentRunId }) => parentRunId ?? [])])
      return ended
    } catch (problem) {
      // A family of runs and their workers may lock each other crosswise; one of them is told to try again.
      if (attempt === tries || !isPassing(problem)) throw problem
    }
}
