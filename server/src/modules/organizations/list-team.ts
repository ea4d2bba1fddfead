/** Who belongs to an organization. A plain member sees colleagues; the rest is for administrators. */
import type { Team } from '@chancery/contract/team.ts'
import type { z } from 'zod'
import type { OrgActor } from '#kernel/http/access.ts'
import type { OrganizationsContext } from './context.ts'
import { presentInvitation, presentMember } from './present.ts'
import { listInvitations } from './queries/invitations.ts'

export const listTeam = async (
  { accounts, db }: OrganizationsContext,
  actor: OrgActor,
): Promise<z.infer<typeof Team>> => {
  const members = await accounts.users.listMembersUnscoped(db, actor.organizationId)
  if (actor.role === 'ROLE_ORG_ADMIN')
    return {
      members: members.map(presentMember),
      invitations: (await listInvitations(db, actor)).map(presentInvitation),
    }
  const colleagues = members.filter(({ status }) => status === 'ACTIVE')
  return { members: colleagues.map((member) => presentMember({ ...member, lastLoginAt: null })), invitations: [] }
}
