/** The people of an organization. A plain member sees colleagues; the rest is for administrators. */
import { can } from '@chancery/contract/abilities.ts'
import type { Team, TeamQuery } from '@chancery/contract/organizations/team.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { isLost } from '#kernel/mail/mail.ts'
import type { OrganizationsContext } from '../context.ts'
import { joinMethodOf } from '../invitations/join-method.ts'
import { presentInvitation, presentMember } from '../present.ts'
import { listInvitations } from '../queries/invitations.ts'
import { findOwnOrganization } from '../queries/organizations.ts'

export const listTeam = async (context: OrganizationsContext, actor: OrgActor, query: TeamQuery): Promise<Team> => {
  const page = pageOf(query)
  const isAdmin = can(actor, 'manage-members')
  const nothing = { items: [], total: 0 }
  const [members, invitations] = await Promise.all([
    query.show === 'invitations' ? nothing : listMembers(context, actor, { ...query, page }),
    query.show === 'members' || !isAdmin ? nothing : describeInvitations(context, actor, { ...query, page }),
  ])
  return {
    members: members.items,
    invitations: invitations.items,
    totals: { members: members.total, invitations: invitations.total },
  }
}

const pageOf = ({ page, limit }: TeamQuery) =>
  page === undefined && limit === undefined ? undefined : { page: page ?? 1, limit: limit ?? 50 }

type Filter = Omit<TeamQuery, 'page'> & { page: ReturnType<typeof pageOf> }

const listMembers = async ({ accounts, db }: OrganizationsContext, actor: OrgActor, filter: Filter) => {
  const isAdmin = can(actor, 'manage-members')
  const found = await accounts.users.listMembersUnscoped(db, actor.organizationId, {
    ...filter,
    isActiveOnly: !isAdmin,
  })
  const items = found.items.map((member) => presentMember(isAdmin ? member : { ...member, lastLoginAt: null }))
  return { items, total: found.total }
}

const describeInvitations = async (context: OrganizationsContext, actor: OrgActor, filter: Filter) => {
  const { db, mail } = context
  const [{ items: rows, total }, organization] = await Promise.all([
    listInvitations(db, actor, filter),
    findOwnOrganization(db, actor),
  ])
  const mails = await mail.listStatusesUnscoped(
    db,
    rows.flatMap(({ mailId }) => mailId ?? []),
  )
  // While there is no mail server, every email is kept, and none of them has failed.
  const hasFailed = (found: (typeof mails)[number]) => (mail.hasServer ? isLost(found) : found.status === 'failed')
  const failed = new Set(mails.filter(hasFailed).map(({ id }) => id))
  // The sign-in may have been changed since the invitation was sent.
  const isByLink = organization !== undefined && joinMethodOf(organization, context).by === 'link'
  const items = rows.map((row) =>
    presentInvitation(row, { hasMailServer: mail.hasServer, hasFailed: failed.has(row.mailId ?? ''), isByLink }),
  )
  return { items, total }
}
