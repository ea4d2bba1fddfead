/** How the workflows of a list are doing: their last runs, and how many triggers they have. */
import type { RunStatus } from '@chancery/contract/workflow-runs.ts'
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

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

/** Schedules and webhooks; subscriptions belong to the event bus. */
export const listOwnTriggersUnscoped = async (db: Db, workflowIds: readonly string[]) => {
  if (workflowIds.length === 0) return []
  const [crons, webhooks] = await Promise.all([
    db.selectFrom('cronTriggers').select('workflowId').where('workflowId', 'in', workflowIds).execute(),
    db
      .selectFrom('webhookTriggers')
      .select(['workflowId', 'subscriptionId'])
      .where('workflowId', 'in', workflowIds)
      .execute(),
  ])
  return [...crons.map(({ workflowId }) => ({ workflowId, subscriptionId: null })), ...webhooks]
}
