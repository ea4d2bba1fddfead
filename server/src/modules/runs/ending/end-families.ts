/**
 * What a run started ends with it: the code that ends a run marks it, and its active children are ended after it, level by
 * level and some at a time. A mark outlives a crash, so any node goes on with it.
 */
import type { Db } from '#kernel/db/database.ts'
import { createWakeableLoop, type WakeableLoop } from '#kernel/wakeable-loop.ts'
import { type EndedRun, takeEndingUnscoped } from '../queries/endings.ts'
import { againAfterDeadlock, announceEnds, type EndingNeeds, endRunsIn } from './end-runs.ts'

const reason = { status: 'cancelled', error: 'The run that started this one has ended.' } as const

/** Ends the next children, wherever it is woken; what is left after a crash is found by the check in `claiming/`. */
export const createFamilyEnder = (needs: () => EndingNeeds, signal: AbortSignal): WakeableLoop =>
  createWakeableLoop({
    name: 'workflows.end-families',
    tasks: { run: (name, work) => needs().kernel.tasks.run(name, work) },
    signal,
    pass: () => endNext(needs()),
  })

/** Returns whether there may be more. */
const endNext = async (needs: EndingNeeds): Promise<boolean> => {
  const { parents, ended } = await againAfterDeadlock(() =>
    needs.kernel.db.transaction().execute((tx) => endChildrenIn(needs, tx)),
  )
  await needs.kernel.failpoints.hit('families: ended')
  announceEnds(needs, ended)
  return parents > 0
}

const endChildrenIn = async (needs: EndingNeeds, tx: Db): Promise<{ parents: number; ended: readonly EndedRun[] }> => {
  const { parents, children } = await takeEndingUnscoped(tx)
  return { parents, ended: await endRunsIn(needs, tx, { ids: children, reason }) }
}
