/** Makes or changes a group or a department. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrganizationsContext } from '../context.ts'
import { getMemberIds } from '../members/get-member.ts'
import { lockOrganization } from '../plan/seats.ts'
import { requireRunning } from '../plan/trial.ts'
import {
  countUnitsUnscoped,
  findUnit,
  insertUnitUnscoped,
  isUnitNameTakenUnscoped,
  lockUnit,
  mostUnits,
  renameUnitUnscoped,
  replaceUnitMembersUnscoped,
  type UnitWithMembers,
  unitNameKey,
} from '../queries/units.ts'
import type { UnitKind } from '../tables.ts'
import { authorOf, type UnitEditor } from './editor.ts'

export interface NewUnit {
  kind: UnitKind
  name: string
  memberIds?: readonly string[] | undefined
  from: Origin
  /** In the same transaction. */
  alongside?(tx: Db, unit: UnitWithMembers): Promise<unknown>
}

interface Wanted {
  name?: string | undefined
  memberIds?: readonly string[] | undefined
}

export interface UnitChange {
  id: string
  kind: UnitKind
  from: Origin
  /** What it becomes, given what it is while nobody else can change it. */
  decide(unit: UnitWithMembers): Wanted
  alongside?(tx: Db, unit: UnitWithMembers): Promise<unknown>
}

/** The organization's lock lets its units be counted and named one after the other. */
const lockForWriting = async ({ clock }: OrganizationsContext, tx: Db, editor: UnitEditor): Promise<void> =>
  requireRunning(await lockOrganization(tx, editor.organizationId), clock.now())

export const createUnit = (
  context: OrganizationsContext,
  editor: UnitEditor,
  { kind, name, memberIds = [], from, alongside }: NewUnit,
): Promise<UnitWithMembers> =>
  context.db.transaction().execute(async (tx) => {
    const { clock, ids, audit } = context
    const { organizationId } = editor
    await lockForWriting(context, tx, editor)
    if ((await countUnitsUnscoped(tx, organizationId, kind)) >= mostUnits) throw new AppError('plan_limit_reached')
    const members = await getMemberIds({ accounts: context.accounts, db: tx }, editor, memberIds)

    const unit = { id: ids.next(), organizationId, kind, name, nameKey: unitNameKey(name), createdAt: clock.now() }
    if (!(await insertUnitUnscoped(tx, unit))) throw new AppError('name_taken')
    await replaceUnitMembersUnscoped(tx, unit.id, members)
    const target = { kind, id: unit.id }
    const action = { action: `organization.create_${kind}`, by: authorOf(editor), organizationId, from, target }
    await audit.record(tx, { ...action, detail: { name } })
    await context.announce(tx, { type: `${kind}_saved`, organizationId, unitId: unit.id })
    const made = { ...unit, memberIds: members }
    await alongside?.(tx, made)
    return made
  })

export const updateUnit = (
  context: OrganizationsContext,
  editor: UnitEditor,
  { id, kind, from, decide, alongside }: UnitChange,
): Promise<UnitWithMembers> =>
  context.db.transaction().execute(async (tx) => {
    await lockForWriting(context, tx, editor)
    if (!(await lockUnit(tx, editor, { id, kind }))) throw new AppError('unit_not_found')
    const unit = await getUnit(tx, editor, { id, kind })
    const { name, memberIds } = decide(unit)
    await alongside?.(tx, unit)
    if (name === undefined && memberIds === undefined) return unit

    if (name !== undefined) {
      if (await isUnitNameTakenUnscoped(tx, unit, name)) throw new AppError('name_taken')
      await renameUnitUnscoped(tx, id, name)
    }
    if (memberIds !== undefined) {
      const members = await getMemberIds({ accounts: context.accounts, db: tx }, editor, memberIds)
      await replaceUnitMembersUnscoped(tx, id, members)
    }
    const { organizationId } = editor
    const detail = { ...(name !== undefined && { name }), ...(memberIds && { members: memberIds.length }) }
    const action = { action: `organization.update_${kind}`, by: authorOf(editor), organizationId, from, detail }
    await context.audit.record(tx, { ...action, target: { kind, id } })
    await context.announce(tx, { type: `${kind}_saved`, organizationId, unitId: id })
    return getUnit(tx, editor, unit)
  })

const getUnit = async (db: Db, editor: UnitEditor, { id, kind }: { id: string; kind: UnitKind }) => {
  const unit = await findUnit(db, editor, { id, kind })
  if (!unit) throw new AppError('unit_not_found')
  return unit
}
