/** Dissolves a group or a department. Its people stay. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrganizationsContext } from '../context.ts'
import { requireWritable } from '../plan/trial.ts'
import { deleteUnitUnscoped, lockUnit } from '../queries/units.ts'
import type { UnitKind } from '../tables.ts'
import { authorOf, type UnitEditor } from './editor.ts'

export interface UnitDeletion {
  id: string
  kind: UnitKind
  from: Origin
}

export const deleteUnit = (
  { announce, audit, clock, db }: OrganizationsContext,
  editor: UnitEditor,
  { id, kind, from }: UnitDeletion,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await requireWritable({ clock }, tx, editor)
    const unit = await lockUnit(tx, editor, { id, kind })
    if (!unit) throw new AppError('unit_not_found')
    await deleteUnitUnscoped(tx, id)
    const detail = { name: unit.name }
    const { organizationId } = editor
    const action = { action: `organization.delete_${kind}`, by: authorOf(editor), organizationId, from, detail }
    await audit.record(tx, { ...action, target: { kind, id } })
    await announce(tx, { type: `${kind}_deleted`, organizationId, unitId: id })
  })
