/** The three kinds of triggers of a workflow, as one list. The caller has found the workflow in the actor's scope. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Subscription } from '#modules/event-bus/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { type CronRow, listCronTriggersUnscoped } from './queries/cron-triggers.ts'
import { listWebhooksUnscoped, type WebhookRow } from './queries/webhooks.ts'

export type AnyTrigger =
  | { kind: 'event'; row: Subscription }
  | { kind: 'cron'; row: CronRow }
  | { kind: 'webhook'; row: WebhookRow; subscription: Pick<Subscription, 'pausedAt' | 'pausedReason'> | undefined }

/** Oldest first. A webhook's own subscription is part of the webhook and not listed. */
export const listTriggersUnscoped = async (
  { bus }: Pick<WorkflowsContext, 'bus'>,
  db: Db,
  workflowId: string,
): Promise<AnyTrigger[]> => {
  const subscriptions = await bus.listSubscriptionsUnscoped(db, [workflowId])
  const crons = await listCronTriggersUnscoped(db, workflowId)
  const webhooks = await listWebhooksUnscoped(db, workflowId)
  const inner = new Set(webhooks.map(({ subscriptionId }) => subscriptionId))
  const byId = new Map(subscriptions.map((row) => [row.id, row]))
  const all: AnyTrigger[] = [
    ...subscriptions.filter(({ id }) => !inner.has(id)).map((row) => ({ kind: 'event' as const, row })),
    ...crons.map((row) => ({ kind: 'cron' as const, row })),
    ...webhooks.map((row) => ({
      kind: 'webhook' as const,
      row,
      subscription: byId.get(row.subscriptionId ?? ''),
    })),
  ]
  return all.sort((a, b) => a.row.createdAt.getTime() - b.row.createdAt.getTime())
}

export const getTriggerUnscoped = async (
  context: Pick<WorkflowsContext, 'bus'>,
  db: Db,
  { workflowId, id }: { workflowId: string; id: string },
): Promise<AnyTrigger> => {
  const trigger = (await listTriggersUnscoped(context, db, workflowId)).find(({ row }) => row.id === id.toLowerCase())
  if (!trigger) throw new AppError('trigger_not_found')
  return trigger
}
