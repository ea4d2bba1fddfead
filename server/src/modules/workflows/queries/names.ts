/** Names of workflows for lists in other modules, and the people who are told about them. */
import { sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'

/** A subquery, for statements about other things of workflows. */
export const allWorkflowIds = sql`select id from workflows`

export const findWorkflowNamesUnscoped = async (
  db: Db,
  workflowIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (workflowIds.length === 0) return new Map()
  const rows = await db.selectFrom('workflows').select(['id', 'name']).where(isAmong('id', workflowIds)).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export interface WorkflowOwner {
  id: string
  name: string
  scopeId: string
  authorId: string
}

/** The people who are notified about these workflows. */
export const listOwnersUnscoped = (db: Db, ids: readonly string[]): Promise<WorkflowOwner[]> =>
  db.selectFrom('workflows').select(['id', 'name', 'scopeId', 'authorId']).where(isAmong('id', ids)).execute()
