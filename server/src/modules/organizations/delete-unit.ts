/** Dissolves a group or a department. Its people stay. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { OrganizationsContext } from './context.ts'
import { deleteUnit as deleteRow, lockUnit } from './queries/units.ts'
import type { UnitKind } from './tables.ts'
import { requireWritable } from './trial.ts'

export const deleteUnit = (
  { accounts, announce }: OrganizationsContext,
  actor: OrgActor,
  { id, kind, from }: { id: string; kind: UnitKind; from: Origin },
): Promise<void> =>
  accounts.db.transaction().execute(async (tx) => {
    await requireWritable(accounts, tx, actor)
    const unit = await lockUnit(tx, actor, { id, kind })
    if (!unit) throw new AppError('unit_not_found')
    await deleteRow(tx, id)
    const detail = { name: unit.name }
    const action = { action: `organization.delete_${kind}`, by: actor, from, target: { kind, id }, detail }
    await accounts.audit.record(tx, action)
    await announce(tx, { type: `${kind}_deleted`, organizationId: actor.organizationId, unitId: id })
  })
