/** Gives a member the role that their sign-in elsewhere says, each time. Whoever leaves the group there loses the role. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { OrganizationsContext } from '../context.ts'

export interface GivenRole {
  organizationId: string
  role: UserRow['role']
  from: Origin
  /** Who says so, for the audit log. */
  reason: string
}

/** The last active administrator keeps the role, whatever is said: somebody must be able to mend it. */
export const applyRole = async (
  { accounts, announce, audit, log }: OrganizationsContext,
  user: UserRow,
  { organizationId, role, from, reason }: GivenRole,
): Promise<UserRow> => {
  if (user.role === role) return user
  return accounts.changePrincipal(user.id, async (tx) => {
    const admins = await accounts.users.lockOrgAdminsUnscoped(tx, organizationId)
    if (role === 'ROLE_USER' && admins.every(({ id }) => id === user.id)) {
      log.warn({ organizationId, userId: user.id, reason }, 'The last administrator keeps the role.')
      return user
    }
    await accounts.users.updateUnscoped(tx, user.id, { role })
    const target = { kind: 'user', id: user.id }
    const detail = { role, reason }
    const action = 'organization.change_role'
    await audit.record(tx, { action, by: 'system', target, organizationId, from, detail })
    await announce(tx, { type: 'member_role_changed', organizationId, userId: user.id })
    return { ...user, role }
  })
}
