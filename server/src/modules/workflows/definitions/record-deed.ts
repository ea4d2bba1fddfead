/** The audit entry of what was done to a workflow, in the transaction of the deed. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'

type Deed = 'create' | 'update' | 'delete' | 'submit' | 'publish' | 'reject' | 'snapshot' | 'rollback'

export interface WorkflowDeed {
  deed: Deed
  actor: Actor
  from: Origin
  workflow: { id: string; name: string }
  detail?: Record<string, unknown>
}

export const recordDeed = (
  { kernel }: WorkflowsContext,
  tx: Db,
  { deed, actor, from, workflow, detail }: WorkflowDeed,
): Promise<void> =>
  kernel.audit.record(tx, {
    ...{ action: `workflow.${deed}`, by: actor, from },
    target: { kind: 'workflow', id: workflow.id },
    detail: { name: workflow.name, ...detail },
  })
