/** Puts a member into groups and takes them out of others, as their sign-in elsewhere says. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { OrganizationsContext } from '../context.ts'
import { joinGroupsUnscoped, leaveGroupsUnscoped } from '../queries/units.ts'

export interface Placement {
  organizationId: string
  userId: string
  join: readonly string[]
  leave: readonly string[]
  from: Origin
}

/** Groups of another organization, and those that are gone, are left out. */
export const placeMember = (
  { announce, audit, db }: OrganizationsContext,
  { organizationId, userId, join, leave, from }: Placement,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const joined = await joinGroupsUnscoped(tx, { organizationId, userId, ids: join })
    const left = await leaveGroupsUnscoped(tx, { organizationId, userId, ids: leave })
    if (joined.length + left.length === 0) return
    const target = { kind: 'user', id: userId }
    const detail = { joined, left }
    const action = 'organization.place_member'
    await audit.record(tx, { action, by: 'system', target, organizationId, from, detail })
    for (const unitId of [...joined, ...left]) await announce(tx, { type: 'group_saved', organizationId, unitId })
  })
