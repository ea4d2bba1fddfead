/** Groups that a directory makes, changes and deletes: groups of the organization like any other. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { UnitWithMembers } from '#modules/organizations/index.ts'
import type { Directory } from '../context.ts'
import type { GroupDraft } from '../patch/patch-group.ts'
import { requireVersion } from '../protocol/resource.ts'
import { findGroupRow, saveGroupRowUnscoped } from '../queries/groups.ts'
import { draftOfGroup, editorOf, type GroupsContext, readGroup, refusingStrangers, versionOfGroup } from './group.ts'
import { getGroup } from './list-groups.ts'

interface Asking {
  directory: Directory
  from: Origin
}

/** Answers its id. */
export const createGroup = async (
  { organizations, clock }: GroupsContext,
  { directory, from, draft }: Asking & { draft: GroupDraft },
): Promise<string> => {
  const { name, externalId, memberIds } = readGroup(draft)
  const { organizationId } = directory
  const made = organizations.units.createGroupUnscoped(editorOf(directory), {
    name,
    memberIds,
    from,
    alongside: (tx, { id }) =>
      saveGroupRowUnscoped(tx, { unitId: id, organizationId, externalId, changedAt: clock.now() }),
  })
  return (await refusingStrangers(made)).id
}

interface GroupWrite extends Asking {
  id: string
  ifMatch: string | undefined
  decide(draft: GroupDraft): GroupDraft
}

/** What is wanted is worked out from the group as it is under its lock, so that no addition is lost. */
export const writeGroup = async (context: GroupsContext, write: GroupWrite): Promise<void> => {
  const { organizations, clock, db } = context
  const { directory, id, from, ifMatch, decide } = write
  const { organizationId } = directory
  const row = await findGroupRow(db, directory, id)
  let externalId: string | null = null
  const change = (unit: UnitWithMembers) => {
    const group = { ...unit, row }
    requireVersion(ifMatch, versionOfGroup(group))
    const wanted = readGroup(decide(draftOfGroup(group)))
    externalId = wanted.externalId
    const isSame = wanted.memberIds.length === unit.memberIds.length && haveAll(unit.memberIds, wanted.memberIds)
    return {
      ...(wanted.name !== unit.name && { name: wanted.name }),
      ...(!isSame && { memberIds: wanted.memberIds }),
    }
  }
  const alongside = (tx: Db) =>
    saveGroupRowUnscoped(tx, { unitId: id, organizationId, externalId, changedAt: clock.now() })
  await refusingStrangers(
    organizations.units.updateGroupUnscoped(editorOf(directory), { id, from, decide: change, alongside }),
  )
}

const haveAll = (ids: readonly string[], wanted: readonly string[]): boolean => {
  const known = new Set(ids)
  return wanted.every((id) => known.has(id))
}

export const deleteGroup = async (
  context: GroupsContext,
  { directory, id, from, ifMatch }: Asking & { id: string; ifMatch: string | undefined },
): Promise<void> => {
  if (ifMatch !== undefined)
    requireVersion(ifMatch, versionOfGroup(await getGroup(context, { directory, id, withMembers: true })))
  await refusingStrangers(context.organizations.units.deleteGroupUnscoped(editorOf(directory), { id, from }))
}
