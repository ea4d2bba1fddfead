/** Deletes a trigger. Runs that it started continue. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'
import { getLockedWorkflow } from '../definitions/get-workflow.ts'
import { recordTriggerAction } from '../record-action.ts'
import { getTriggerUnscoped } from './any-trigger.ts'
import { deleteCronTriggerUnscoped } from './queries/cron-triggers.ts'
import { deleteWebhookUnscoped } from './queries/webhooks.ts'
import { webhookTopic } from './webhooks.ts'

export const deleteTrigger = (
  context: WorkflowsContext,
  actor: Actor,
  { workflowId, id, from }: { workflowId: string; id: string; from: Origin },
): Promise<void> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    await getLockedWorkflow(tx, actor, workflowId)
    const trigger = await getTriggerUnscoped(context, tx, { workflowId, id })
    if (trigger.kind === 'event') await context.bus.deleteSubscription(tx, trigger.row.id)
    if (trigger.kind === 'cron') await deleteCronTriggerUnscoped(tx, trigger.row.id)
    if (trigger.kind === 'webhook') {
      if (trigger.row.subscriptionId !== null) await context.bus.deleteSubscription(tx, trigger.row.subscriptionId)
      await deleteWebhookUnscoped(tx, trigger.row.id)
      await context.kernel.signals.send(tx, webhookTopic, trigger.row.id)
    }
    await recordTriggerAction(context, tx, { action: 'delete', actor, from, trigger })
  })
