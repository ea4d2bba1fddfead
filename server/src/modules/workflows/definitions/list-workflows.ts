/** The workflows of a scope, with their last runs and number of triggers. */
import type { WorkflowListItem } from '@chancery/contract/workflows/workflows.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { listLastRunsUnscoped } from '#modules/runs/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { presentListItem } from '../present.ts'
import { listOwnTriggersUnscoped } from '../queries/activity.ts'
import { listWorkflows, type WorkflowFilter } from '../queries/workflows.ts'

export const describeWorkflows = async (
  context: WorkflowsContext,
  actor: Actor,
  filter: WorkflowFilter,
): Promise<{ items: WorkflowListItem[]; total: number }> => {
  const { db } = context.kernel
  const { items, total } = await listWorkflows(db, actor, filter)
  const ids = items.map(({ id }) => id)
  const [lastRuns, triggers] = await Promise.all([listLastRunsUnscoped(db, ids), listTriggers(context, ids)])
  const described = items.map((row) =>
    presentListItem(row, { lastRuns: lastRuns.get(row.id) ?? [], triggerCount: triggers.get(row.id)?.length ?? 0 }),
  )
  return { items: described, total }
}

/** A webhook has a subscription of its own; the two count as one trigger. */
const listTriggers = async ({ kernel, bus }: WorkflowsContext, workflowIds: readonly string[]) => {
  const [own, subscriptions] = await Promise.all([
    listOwnTriggersUnscoped(kernel.db, workflowIds),
    workflowIds.length === 0 ? [] : bus.listSubscriptionsUnscoped(kernel.db, workflowIds),
  ])
  const ofWebhooks = new Set(own.map(({ subscriptionId }) => subscriptionId))
  const all = [...own, ...subscriptions.filter(({ id }) => !ofWebhooks.has(id))]
  return Map.groupBy(all, ({ workflowId }) => workflowId)
}
