/** Audit entries for everything people do in this module, in the transaction of the action. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'

type Change = 'create' | 'update' | 'delete'

interface Actions {
  catalog: Change
  credential: Change
  space: Change
  trigger: Change
  workflow: Change | 'submit' | 'publish' | 'reject' | 'snapshot' | 'rollback' | 'run_as'
}

interface Action<Kind extends keyof Actions> {
  kind: Kind
  action: Actions[Kind]
  id: string
  actor: Actor
  from: Origin
  detail: Record<string, unknown>
}

interface Needs {
  kernel: Pick<Kernel, 'audit'>
}

export const recordAction = <Kind extends keyof Actions>(
  { kernel }: Needs,
  tx: Db,
  { kind, action, id, actor, from, detail }: Action<Kind>,
): Promise<void> =>
  kernel.audit.record(tx, { action: `${kind}.${action}`, by: actor, from, target: { kind, id }, detail })

type Done<Kind extends keyof Actions> = Pick<Action<Kind>, 'action' | 'actor' | 'from'> & {
  detail?: Record<string, unknown>
}

export const recordWorkflowAction = (
  needs: Needs,
  tx: Db,
  { workflow: { id, name }, detail, ...done }: Done<'workflow'> & { workflow: { id: string; name: string } },
): Promise<void> => recordAction(needs, tx, { ...done, kind: 'workflow', id, detail: { name, ...detail } })

interface RecordedTrigger {
  kind: 'event' | 'cron' | 'webhook'
  row: { id: string; workflowId: string; name: string }
}

export const recordTriggerAction = (
  needs: Needs,
  tx: Db,
  { trigger: { kind, row }, detail, ...done }: Done<'trigger'> & { trigger: RecordedTrigger },
): Promise<void> =>
  recordAction(needs, tx, {
    ...done,
    kind: 'trigger',
    id: row.id,
    detail: { kind, name: row.name, workflow_id: row.workflowId, ...detail },
  })
