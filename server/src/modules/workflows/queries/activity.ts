/** Counts the triggers of a list's workflows. */
import type { Db } from '#kernel/db/database.ts'

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
