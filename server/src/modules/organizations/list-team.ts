/** Who belongs to an organization. A plain member sees colleagues; the rest is for administrators. */
import type { Team } from '@chancery/contract/team.ts'
import type { z } from 'zod'
import type { OrgActor } from '#kernel/http/access.ts'
import { isLost } from '#kernel/mail/mail.ts'
import type { OrganizationsContext } from './context.ts'
import { joinMethodOf } from './join-method.ts'
import { presentInvitation, presentMember } from './present.ts'
import { listInvitations } from './queries/invitations.ts'
import { findOwnOrganization } from './queries/organizations.ts'

export const listTeam = async (context: OrganizationsContext, actor: OrgActor): Promise<z.infer<typeof Team>> => {
  const { accounts, db } = context
  const members = await accounts.users.listMembersUnscoped(db, actor.organizationId)
  if (actor.role === 'ROLE_ORG_ADMIN')
    return {
      members: members.map(presentMember),
      invitations: await describeInvitations(context, actor),
    }
  const colleagues = members.filter(({ status }) => status === 'ACTIVE')
  return { members: colleagues.map((member) => presentMember({ ...member, lastLoginAt: null })), invitations: [] }
}

const describeInvitations = async (context: OrganizationsContext, actor: OrgActor) => {
  const { db, mail } = context
  const [rows, organization] = [await listInvitations(db, actor), await findOwnOrganization(db, actor)]
  const mails = await mail.listStatusesUnscoped(
    db,
    rows.flatMap(({ mailId }) => mailId ?? []),
  )
  // While there is no mail server, every email is kept, and none of them has failed.
  const hasFailed = (found: (typeof mails)[number]) => (mail.hasServer ? isLost(found) : found.status === 'failed')
  const failed = new Set(mails.filter(hasFailed).map(({ id }) => id))
  // The sign-in may have been changed since the invitation was sent.
  const isByLink = organization !== undefined && joinMethodOf(organization, context).by === 'link'
  return rows.map((row) =>
    presentInvitation(row, { hasMailServer: mail.hasServer, hasFailed: failed.has(row.mailId ?? ''), isByLink }),
  )
}
