/** Who belongs to an organization. A plain member sees colleagues; the rest is for administrators. */
import type { Team } from '@chancery/contract/team.ts'
import type { z } from 'zod'
import type { OrgActor } from '#kernel/http/access.ts'
import type { OrganizationsContext } from './context.ts'
import { presentInvitation, presentMember } from './present.ts'
import { type InvitationRow, listInvitations } from './queries/invitations.ts'

export const listTeam = async (context: OrganizationsContext, actor: OrgActor): Promise<z.infer<typeof Team>> => {
  const { accounts, db } = context
  const members = await accounts.users.listMembersUnscoped(db, actor.organizationId)
  if (actor.role === 'ROLE_ORG_ADMIN')
    return {
      members: members.map(presentMember),
      invitations: await describeInvitations(context, await listInvitations(db, actor)),
    }
  const colleagues = members.filter(({ status }) => status === 'ACTIVE')
  return { members: colleagues.map((member) => presentMember({ ...member, lastLoginAt: null })), invitations: [] }
}

const describeInvitations = async ({ db, mail }: OrganizationsContext, rows: readonly InvitationRow[]) => {
  const mails = await mail.listStatusesUnscoped(
    db,
    rows.flatMap(({ mailId }) => mailId ?? []),
  )
  const failed = new Set(mails.filter(({ status }) => status === 'failed').map(({ id }) => id))
  return rows.map((row) =>
    presentInvitation(row, { hasMailServer: mail.hasServer, hasFailed: failed.has(row.mailId ?? '') }),
  )
}
