/** SQL for the runs that a person has outside an organization, when they are deleted. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

/** Runs that have not ended go on for the heir. */
export const moveRunsUnscoped = async (
  tx: Db,
  { from, scopeId, heirId }: { from: string; scopeId: string; heirId: string },
): Promise<void> => {
  for (const table of ['runs', 'runWaits', 'approvals'] as const)
    await tx.updateTable(table).set({ scopeId }).where('scopeId', '=', from).execute()
  await tx
    .updateTable('runs')
    .set({ userId: heirId })
    .where('userId', '=', from)
    .where('finishedAt', 'is', null)
    .execute()
}

/** Until none is left: a holder may be starting children while their parents are being ended. An ended run starts none. */
const endAllUnscoped = async (tx: Db, scopeId: string): Promise<void> => {
  for (let ended = 1n; ended > 0n; )
    ended = await tx
      .updateTable('runs')
      .set({
        status: 'cancelled',
        leaseNode: null,
        leaseUntil: null,
        wakeAt: null,
        finishedAt: sql`statement_timestamp()`,
      })
      .where('scopeId', '=', scopeId)
      .where('status', 'in', ['queued', 'running', 'waiting'])
      .executeTakeFirst()
      .then(({ numUpdatedRows }) => numUpdatedRows)
}

/** Steps and waits are deleted with their run. */
export const deleteRunsUnscoped = async (tx: Db, scopeId: string): Promise<void> => {
  await endAllUnscoped(tx, scopeId)
  for (const table of ['runs', 'approvals'] as const)
    await tx.deleteFrom(table).where('scopeId', '=', scopeId).execute()
}
