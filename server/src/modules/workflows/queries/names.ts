/** What lists in other modules show of workflows and runs. */
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import type { RunProgress } from '#modules/event-bus/index.ts'

export const findWorkflowNamesUnscoped = async (
  db: Db,
  workflowIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (workflowIds.length === 0) return new Map()
  const rows = await db.selectFrom('workflows').select(['id', 'name']).where(isAmong('id', workflowIds)).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export const findRunProgressUnscoped = async (
  db: Db,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, RunProgress>> => {
  if (runIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'status'])
    .where(isAmong('id', runIds))
    .where('status', 'not in', ['succeeded', 'cancelled'])
    .execute()
  return new Map(
    rows.map(({ id, status }) => [id, status === 'failed' || status === 'timed_out' ? 'failed' : 'active']),
  )
}

export interface WorkflowOwner {
  id: string
  name: string
  scopeId: string
  authorId: string
}

/** Who is notified about these workflows. */
export const listOwnersUnscoped = (db: Db, ids: readonly string[]): Promise<WorkflowOwner[]> =>
  db.selectFrom('workflows').select(['id', 'name', 'scopeId', 'authorId']).where(isAmong('id', ids)).execute()
