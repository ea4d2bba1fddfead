/** The audit entry of what was done to a trigger, in the transaction of the action. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'

export interface TriggerAction {
  action: 'create' | 'update' | 'delete'
  actor: Actor
  from: Origin
  trigger: { kind: 'event' | 'cron' | 'webhook'; row: { id: string; workflowId: string; name: string } }
  detail?: Record<string, unknown>
}

export const recordTriggerAction = (
  { kernel }: Pick<WorkflowsContext, 'kernel'>,
  tx: Db,
  { action, actor, from, trigger: { kind, row }, detail }: TriggerAction,
): Promise<void> =>
  kernel.audit.record(tx, {
    ...{ action: `trigger.${action}`, by: actor, from },
    target: { kind: 'trigger', id: row.id },
    detail: { kind, name: row.name, workflow_id: row.workflowId, ...detail },
  })
