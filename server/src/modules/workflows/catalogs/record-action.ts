/** The audit entry of what was done to a catalog or a space, in the transaction of the action. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'

interface Action {
  kind: 'catalog' | 'space'
  action: 'create' | 'update' | 'delete'
  id: string
  actor: Actor
  from: Origin
  detail: Record<string, unknown>
}

export const recordAction = (
  { kernel }: WorkflowsContext,
  tx: Db,
  { kind, action, id, actor, from, detail }: Action,
): Promise<void> =>
  kernel.audit.record(tx, { action: `${kind}.${action}`, by: actor, from, target: { kind, id }, detail })
