/** SQL for what a person owns outside an organization, when they are deleted. */
import type { Db } from '#kernel/db/database.ts'

export const listWorkflowIdsUnscoped = async (tx: Db, scopeId: string): Promise<string[]> =>
  (await tx.selectFrom('workflows').select('id').where('scopeId', '=', scopeId).forUpdate().execute()).map(
    ({ id }) => id,
  )

const scopedTables = ['workflows', 'catalogs', 'httpCredentials', 'spaces', 'cronTriggers', 'webhookTriggers'] as const

export const moveScopeUnscoped = async (tx: Db, from: string, to: string): Promise<void> => {
  for (const table of scopedTables)
    await tx.updateTable(table).set({ scopeId: to }).where('scopeId', '=', from).execute()
}

/** Nothing starts them until they are published again. */
export const haltScopeUnscoped = async (tx: Db, scopeId: string): Promise<void> => {
  await tx.updateTable('workflows').set({ isLive: false }).where('scopeId', '=', scopeId).execute()
}

/** Workflows that named the person act for the heir, or for their owner. */
export const replaceRunAsUnscoped = async (
  tx: Db,
  userId: string,
  to: { id: string; name: string } | undefined,
): Promise<void> => {
  await tx
    .updateTable('workflows')
    .set({ runAsUserId: to?.id ?? null, runAsName: to?.name ?? null })
    .where('runAsUserId', '=', userId)
    .execute()
}

/** The caller has deleted the workflows. */
export const deleteScopeUnscoped = async (tx: Db, scopeId: string): Promise<void> => {
  for (const table of ['catalogs', 'httpCredentials', 'spaces'] as const)
    await tx.deleteFrom(table).where('scopeId', '=', scopeId).execute()
}
