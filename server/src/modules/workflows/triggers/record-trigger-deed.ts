/** The audit entry of what was done to a trigger, in the transaction of the deed. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'

export interface TriggerDeed {
  deed: 'create' | 'update' | 'delete'
  actor: Actor
  from: Origin
  trigger: { kind: 'event' | 'cron' | 'webhook'; row: { id: string; workflowId: string; name: string } }
  detail?: Record<string, unknown>
}

export const recordTriggerDeed = (
  { kernel }: Pick<WorkflowsContext, 'kernel'>,
  tx: Db,
  { deed, actor, from, trigger: { kind, row }, detail }: TriggerDeed,
): Promise<void> =>
  kernel.audit.record(tx, {
    ...{ action: `trigger.${deed}`, by: actor, from },
    target: { kind: 'trigger', id: row.id },
    detail: { kind, name: row.name, workflow_id: row.workflowId, ...detail },
  })
