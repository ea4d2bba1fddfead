/** Dissolves a group or a department. Its people stay. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { OrganizationsContext } from '../context.ts'
import { requireWritable } from '../plan/trial.ts'
import { deleteUnitUnscoped, lockUnit } from '../queries/units.ts'
import type { UnitKind } from '../tables.ts'

export const deleteUnit = (
  { announce, audit, clock, db }: OrganizationsContext,
  actor: OrgActor,
  { id, kind, from }: { id: string; kind: UnitKind; from: Origin },
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await requireWritable({ clock }, tx, actor)
    const unit = await lockUnit(tx, actor, { id, kind })
    if (!unit) throw new AppError('unit_not_found')
    await deleteUnitUnscoped(tx, id)
    const detail = { name: unit.name }
    const action = { action: `organization.delete_${kind}`, by: actor, from, target: { kind, id }, detail }
    await audit.record(tx, action)
    await announce(tx, { type: `${kind}_deleted`, organizationId: actor.organizationId, unitId: id })
  })
