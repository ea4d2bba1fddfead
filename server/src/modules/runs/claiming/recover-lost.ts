/** Runs that lost their holder go back into the queue; those that end every node that claims them are held back. */
import { recoverLostUnscoped } from '../queries/lost-runs.ts'
import type { RunsContext } from '../shared/context.ts'

const reason =
  'This run is held back: three times the server ended while it worked on it. A platform admin can let it go on.'

/** Returns how many runs it found. */
export const recoverLost = async ({
  kernel: { clock, db, failpoints, log },
  notifier,
}: Pick<RunsContext, 'kernel' | 'notifier'>): Promise<number> => {
  let found = 0
  for (let hasMore = true; hasMore; ) {
    await failpoints.hit('lost: before')
    const recovered = await db.transaction().execute((tx) => recoverLostUnscoped(tx, { now: clock.now(), reason }))
    await failpoints.hit('lost: committed')
    found += recovered.lost.length
    hasMore = recovered.hasMore
    const held = recovered.lost.filter(({ heldAt }) => heldAt !== null)
    for (const { id, scopeId, workflowName, claims } of held)
      log.error({ run: id, scope: scopeId, workflow: workflowName, claims }, reason)
    notifier.notify(held.map(({ id }) => id))
  }
  return found
}
