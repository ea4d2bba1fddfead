/** How workflows are called, for lists of other rooms that know them by id. */
import type { Db } from '#kernel/db/database.ts'

export const findWorkflowNamesUnscoped = async (
  db: Db,
  workflowIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (workflowIds.length === 0) return new Map()
  const rows = await db.selectFrom('workflows').select(['id', 'name']).where('id', 'in', workflowIds).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
