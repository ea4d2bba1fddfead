/** Gives a person the role their groups say, at each login. A person who leaves the group loses the role. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { LdapContext } from './context.ts'

interface Change {
  organizationId: string
  role: UserRow['role']
  from: Origin
}

/** The last active administrator keeps the role, whatever the directory says: somebody must be able to mend it. */
export const applyRole = async (context: LdapContext, user: UserRow, change: Change): Promise<UserRow> => {
  const { organizationId, role, from } = change
  if (user.role === role) return user
  return context.accounts.changePrincipal(user.id, async (tx) => {
    const admins = await context.accounts.users.lockOrgAdminsUnscoped(tx, organizationId)
    if (role === 'ROLE_USER' && admins.every(({ id }) => id === user.id)) {
      context.log.warn({ organizationId, userId: user.id }, 'ldap: the last administrator keeps the role')
      return user
    }
    await context.accounts.users.updateUnscoped(tx, user.id, { role })
    const target = { kind: 'user', id: user.id }
    const detail = { role, reason: 'directory groups' }
    await context.audit.record(tx, {
      action: 'organization.change_role',
      by: 'system',
      target,
      organizationId,
      from,
      detail,
    })
    await context.organizations.announce(tx, { type: 'member_role_changed', organizationId, userId: user.id })
    return { ...user, role }
  })
}
