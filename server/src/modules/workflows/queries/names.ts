/** Names of workflows, for lists in other modules. */
import type { Db } from '#kernel/db/database.ts'

export const findWorkflowNamesUnscoped = async (
  db: Db,
  workflowIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (workflowIds.length === 0) return new Map()
  const rows = await db.selectFrom('workflows').select(['id', 'name']).where('id', 'in', workflowIds).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export interface WorkflowOwner {
  id: string
  name: string
  scopeId: string
  authorId: string
}

/** Who is notified about these workflows. */
export const listOwnersUnscoped = (db: Db, ids: readonly string[]): Promise<WorkflowOwner[]> =>
  db.selectFrom('workflows').select(['id', 'name', 'scopeId', 'authorId']).where('id', 'in', ids).execute()
