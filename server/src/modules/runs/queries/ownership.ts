/** SQL for the runs that a person has outside an organization, when they are deleted. */
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

/** Steps and waits are deleted with their run. */
export const deleteRunsUnscoped = async (tx: Db, scopeId: string): Promise<void> => {
  for (const table of ['runs', 'approvals'] as const)
    await tx.deleteFrom(table).where('scopeId', '=', scopeId).execute()
}
