/** Runs that lost their holder go back into the queue; those that end every node that claims them are held back. */

import type { Db } from '#kernel/db/database.ts'
import { endedTheServer } from '#kernel/held-back/held-back.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { type LostRun, recoverLostUnscoped } from '../queries/lost-runs.ts'
import type { RunsContext } from '../shared/context.ts'

/** Of this module's work among what is held back. */
export const heldKind = 'run'

const reason =
  'This run is held back: three times the server ended while it worked on it. A platform admin can let it go on.'

/** Returns how many runs it found. */
export const recoverLost = async ({ kernel, notifier }: Pick<RunsContext, 'kernel' | 'notifier'>): Promise<number> => {
  const { clock, db, failpoints, log } = kernel
  let found = 0
  for (let hasMore = true; hasMore; ) {
    await failpoints.hit('lost: before')
    const recovered = await db.transaction().execute(async (tx) => {
      const { lost, hasMore } = await recoverLostUnscoped(tx, { now: clock.now(), reason })
      const held = lost.filter(({ heldAt }) => heldAt !== null)
      await recordHeld(kernel, tx, held)
      return { found: lost.length, held, hasMore }
    })
    await failpoints.hit('lost: committed')
    found += recovered.found
    hasMore = recovered.hasMore
    const { held } = recovered
    for (const { id, scopeId, workflowName, claims } of held)
      log.error({ run: id, scope: scopeId, workflow: workflowName, claims }, reason)
    notifier.notify(held.map(({ id }) => id))
  }
  return found
}

/** For the console, where it is released. */
const recordHeld = async ({ heldBack }: Pick<Kernel, 'heldBack'>, tx: Db, held: readonly LostRun[]): Promise<void> => {
  for (const { id, scopeId, workflowName, claims } of held)
    await heldBack.record(tx, {
      kind: heldKind,
      id,
      scopeId,
      what: `A run of “${workflowName}”`,
      reason: endedTheServer,
      claims,
    })
}
