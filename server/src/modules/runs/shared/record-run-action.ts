/** The audit entry of what a person does with a run, in the transaction of the action. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'

interface RunAction {
  action: 'start' | 'cancel' | 'retry' | 'replay'
  actor: Actor
  from: Origin
  run: { id: string; workflowId: string; workflowName: string }
  detail?: Record<string, unknown>
}

export const recordRunAction = (
  { kernel }: { kernel: Pick<Kernel, 'audit'> },
  tx: Db,
  { action, actor, from, run: { id, workflowId, workflowName }, detail }: RunAction,
): Promise<void> =>
  kernel.audit.record(tx, {
    action: `run.${action}`,
    by: actor,
    from,
    target: { kind: 'run', id },
    detail: { workflow: workflowName, workflow_id: workflowId, ...detail },
  })
