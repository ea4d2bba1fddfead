/** The audit entry of what was done to a workflow, in the transaction of the action. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'

type Action = 'create' | 'update' | 'delete' | 'submit' | 'publish' | 'reject' | 'snapshot' | 'rollback'

export interface WorkflowAction {
  action: Action
  actor: Actor
  from: Origin
  workflow: { id: string; name: string }
  detail?: Record<string, unknown>
}

export const recordAction = (
  { kernel }: WorkflowsContext,
  tx: Db,
  { action, actor, from, workflow, detail }: WorkflowAction,
): Promise<void> =>
  kernel.audit.record(tx, {
    ...{ action: `workflow.${action}`, by: actor, from },
    target: { kind: 'workflow', id: workflow.id },
    detail: { name: workflow.name, ...detail },
  })
