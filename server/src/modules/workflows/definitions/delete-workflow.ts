/** Deletes a workflow with its versions and triggers. Its runs stay in the list of runs. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'
import { deleteWorkflowUnscoped } from '../queries/workflows.ts'
import { recordWorkflowAction } from '../record-action.ts'
import { getLockedWorkflow } from './get-workflow.ts'

export const deleteWorkflow = (
  context: WorkflowsContext,
  actor: Actor,
  { id, from }: { id: string; from: Origin },
): Promise<void> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    const workflow = await getLockedWorkflow(tx, actor, id)
    for (const subscription of await context.bus.listSubscriptionsUnscoped(tx, [id]))
      await context.bus.deleteSubscription(tx, subscription.id)
    for (const listen of context.deleteListeners) await listen(tx, id)
    await deleteWorkflowUnscoped(tx, id)
    await recordWorkflowAction(context, tx, { action: 'delete', actor, from, workflow })
  })
