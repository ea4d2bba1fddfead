/** Activity of runs, for lists. */
import type { RunStatus } from '@chancery/contract/workflows/runs.ts'
import { sql } from 'kysely'
import { isAmong } from '#kernel/db/among.ts'
import type { Db } from '#kernel/db/database.ts'
import type { RunProgress } from '#modules/event-bus/index.ts'

export interface LastRun {
  id: string
  status: RunStatus
  createdAt: Date
}

const shownRuns = 5

/** Newest first, by workflow. The ids come from a scoped list. */
export const listLastRunsUnscoped = async (db: Db, workflowIds: readonly string[]): Promise<Map<string, LastRun[]>> => {
  const { rows } = await sql<LastRun & { workflowId: string }>`
    select w.id as workflow_id, r.id, r.status, r.created_at
    from unnest(${workflowIds}::uuid[]) as w (id)
    cross join lateral (
      select id, status, created_at from runs
      where workflow_id = w.id order by created_at desc, id desc limit ${shownRuns}
    ) r`.execute(db)
  return Map.groupBy(rows, ({ workflowId }) => workflowId)
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

/** Those that have not ended. */
export const countActiveRunsUnscoped = async (db: Db, scopeId: string): Promise<number> => {
  const { rows } = await sql<{ count: string }>`
    select count(*) from runs
    where scope_id = ${scopeId}::uuid and status in ('queued', 'running', 'waiting')`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
