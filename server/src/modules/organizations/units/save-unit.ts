/** Makes or changes a group or a department. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
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

interface NewUnit {
  kind: UnitKind
  name: string
  memberIds?: readonly string[] | undefined
  from: Origin
}

interface UnitChange {
  id: string
  kind: UnitKind
  name?: string | undefined
  memberIds?: readonly string[] | undefined
  from: Origin
}

/** The organization's lock lets its units be counted and named one after the other. */
const lockForWriting = async ({ clock }: OrganizationsContext, tx: Db, actor: OrgActor): Promise<void> =>
  requireRunning(await lockOrganization(tx, actor.organizationId), clock.now())

export const createUnit = (
  context: OrganizationsContext,
  actor: OrgActor,
  { kind, name, memberIds = [], from }: NewUnit,
): Promise<UnitWithMembers> =>
  context.db.transaction().execute(async (tx) => {
    const { clock, ids, audit } = context
    const { organizationId } = actor
    await lockForWriting(context, tx, actor)
    if ((await countUnitsUnscoped(tx, organizationId, kind)) >= mostUnits) throw new AppError('plan_limit_reached')
    const members = await getMemberIds({ accounts: context.accounts, db: tx }, actor, memberIds)

    const unit = { id: ids.next(), organizationId, kind, name, nameKey: unitNameKey(name), createdAt: clock.now() }
    if (!(await insertUnitUnscoped(tx, unit))) throw new AppError('name_taken')
    await replaceUnitMembersUnscoped(tx, unit.id, members)
    const target = { kind, id: unit.id }
    await audit.record(tx, { action: `organization.create_${kind}`, by: actor, from, target, detail: { name } })
    await context.announce(tx, { type: `${kind}_saved`, organizationId, unitId: unit.id })
    return { ...unit, memberIds: members }
  })

export const updateUnit = (
  context: OrganizationsContext,
  actor: OrgActor,
  { id, kind, name, memberIds, from }: UnitChange,
): Promise<UnitWithMembers> =>
  context.db.transaction().execute(async (tx) => {
    await lockForWriting(context, tx, actor)
    const unit = await lockUnit(tx, actor, { id, kind })
    if (!unit) throw new AppError('unit_not_found')
    if (name === undefined && memberIds === undefined) return getUnit(tx, actor, unit)

    if (name !== undefined) {
      if (await isUnitNameTakenUnscoped(tx, unit, name)) throw new AppError('name_taken')
      await renameUnitUnscoped(tx, id, name)
    }
    if (memberIds !== undefined)
      await replaceUnitMembersUnscoped(
        tx,
        id,
        await getMemberIds({ accounts: context.accounts, db: tx }, actor, memberIds),
      )
    const detail = { ...(name !== undefined && { name }), ...(memberIds && { members: memberIds.length }) }
    const action = { action: `organization.update_${kind}`, by: actor, from, target: { kind, id }, detail }
    await context.audit.record(tx, action)
    await context.announce(tx, { type: `${kind}_saved`, organizationId: actor.organizationId, unitId: id })
    return getUnit(tx, actor, unit)
  })

const getUnit = async (db: Db, actor: OrgActor, { id, kind }: { id: string; kind: UnitKind }) => {
  const unit = await findUnit(db, actor, { id, kind })
  if (!unit) throw new AppError('unit_not_found')
  return unit
}
