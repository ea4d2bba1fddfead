/** The audit entry of what was done to a catalog or a space, in the transaction of the deed. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'

interface Deed {
  kind: 'catalog' | 'space'
  deed: 'create' | 'update' | 'delete'
  id: string
  actor: Actor
  from: Origin
  detail: Record<string, unknown>
}

export const recordDeed = (
  { kernel }: WorkflowsContext,
  tx: Db,
  { kind, deed, id, actor, from, detail }: Deed,
): Promise<void> =>
  kernel.audit.record(tx, { action: `${kind}.${deed}`, by: actor, from, target: { kind, id }, detail })
