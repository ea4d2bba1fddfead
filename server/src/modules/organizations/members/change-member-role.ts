/** Makes a member an administrator, or an administrator a plain member. It counts from the next request on. */
import type { Origin } from '#kernel/audit/audit.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { OrganizationsContext } from '../context.ts'
import { requireWritable } from '../plan/trial.ts'
import { lockAdmins } from './admin-lock.ts'
import { getMember } from './get-member.ts'

interface Request {
  userId: string
  role: UserRow['role']
  from: Origin
}

export const changeMemberRole = (
  { accounts, announce, audit, clock }: OrganizationsContext,
  actor: OrgActor,
  { userId, role, from }: Request,
): Promise<UserRow> =>
  accounts.changePrincipal(userId, async (tx) => {
    const admins = await lockAdmins({ accounts }, tx, actor)
    const member = await getMember({ accounts, db: tx }, actor, userId)
    if (member.role === role) return member
    await requireWritable({ clock }, tx, actor)
    if (member.status === 'ACTIVE' && role === 'ROLE_USER') admins.requireAnother(userId)

    await accounts.users.updateUnscoped(tx, userId, { role })
    const target = { kind: 'user', id: userId }
    await audit.record(tx, { action: 'organization.change_role', by: actor, from, target, detail: { role } })
    await announce(tx, { type: 'member_role_changed', organizationId: actor.organizationId, userId })
    return { ...member, role }
  })
