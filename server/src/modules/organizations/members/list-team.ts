/** The people of an organization. A plain member sees colleagues; the rest is for administrators. */
import { can } from '@chancery/contract/abilities.ts'
import type { Invitation, Member, Team, TeamQuery } from '@chancery/contract/organizations/team.ts'
import type { Page } from '#kernel/db/paging.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { jsonLists } from '#kernel/http/replies/json-lists.ts'
import { jsonReply, type RawReply } from '#kernel/http/replies/raw-reply.ts'
import { isLost } from '#kernel/mail/mail.ts'
import type { UserRow } from '#modules/accounts/index.ts'
import type { OrganizationsContext } from '../context.ts'
import { joinMethodOf } from '../invitations/join-method.ts'
import { presentInvitation, presentMember } from '../present.ts'
import { countInvitations, type InvitationRow, listInvitations, readInvitations } from '../queries/invitations.ts'
import { findOwnOrganization } from '../queries/organizations.ts'

/** A page, or everybody: there may be tens of thousands, so they are read and written in portions. */
export const answerTeam = async (
  context: OrganizationsContext,
  actor: OrgActor,
  query: TeamQuery,
): Promise<RawReply> => {
  const page = pageOf(query)
  return page ? jsonReply(await listPage(context, actor, { ...query, page })) : writeWhole(context, actor, query)
}

/** The ids of one query are as many as a page holds. */
const pageOf = ({ page, limit, ids }: TeamQuery): Page | undefined => {
  if (page === undefined && limit === undefined) return ids && { page: 1, limit: 200 }
  return { page: page ?? 1, limit: limit ?? 50 }
}

interface Shown {
  members: boolean
  invitations: boolean
}

const shownTo = (actor: OrgActor, { show }: Pick<TeamQuery, 'show'>): Shown => ({
  members: show !== 'invitations',
  invitations: show !== 'members' && can(actor, 'manage-members'),
})

const nothing = { items: [], total: 0 }

const listPage = async (
  context: OrganizationsContext,
  actor: OrgActor,
  query: Omit<TeamQuery, 'page'> & { page: Page },
): Promise<Team> => {
  const { accounts, db } = context
  const shown = shownTo(actor, query)
  const filter = { ...membersFor(actor, query), page: query.page }
  const [members, invitations] = await Promise.all([
    shown.members ? accounts.users.listMembersUnscoped(db, actor.organizationId, filter) : nothing,
    shown.invitations ? listInvitations(db, actor, query) : nothing,
  ])
  return {
    members: await presentFor(context, actor, members.items),
    invitations: await describeInvitations(context, actor, invitations.items),
    totals: { members: members.total, invitations: invitations.total },
  }
}

const writeWhole = async (context: OrganizationsContext, actor: OrgActor, query: TeamQuery): Promise<RawReply> => {
  const { accounts, db } = context
  const shown = shownTo(actor, query)
  const filter = membersFor(actor, query)
  const ids = shown.members ? await accounts.users.listMemberIdsUnscoped(db, actor.organizationId, filter) : []
  const invitations = shown.invitations ? await countInvitations(db, actor, query.search) : 0
  const lists = {
    members: readMembers(context, actor, { ids, sort: query.sort }),
    invitations: shown.invitations ? readDescribed(context, actor, query.search) : [],
  }
  return jsonLists(lists, { totals: { members: ids.length, invitations } })
}

async function* readMembers(
  context: OrganizationsContext,
  actor: OrgActor,
  listed: { ids: readonly string[]; sort: TeamQuery['sort'] },
): AsyncGenerator<Member[], void> {
  const { accounts, db } = context
  for await (const rows of accounts.users.readListedMembersUnscoped(db, actor.organizationId, listed))
    yield presentFor(context, actor, rows)
}

async function* readDescribed(
  context: OrganizationsContext,
  actor: OrgActor,
  search: string | undefined,
): AsyncGenerator<Invitation[], void> {
  for await (const rows of readInvitations(context.db, actor, search)) yield describeInvitations(context, actor, rows)
}

const membersFor = (actor: OrgActor, { search, sort, ids, factors }: Omit<TeamQuery, 'page'>) => ({
  // Who has none is for administrators to know.
  factors: can(actor, 'manage-members') ? factors : undefined,
  search,
  sort,
  ids,
  isActiveOnly: !can(actor, 'manage-members'),
})

const presentFor = async (
  { accounts, db }: Pick<OrganizationsContext, 'accounts' | 'db'>,
  actor: OrgActor,
  members: readonly UserRow[],
): Promise<Member[]> => {
  if (!can(actor, 'manage-members')) return members.map((member) => presentMember(member, undefined))
  const ids = members.map(({ id }) => id)
  const kinds = await accounts.logins.listFactorKindsUnscoped(db, ids)
  const factorsOf = ({ id, loginOtp }: UserRow) => [...(kinds.get(id) ?? []), ...(loginOtp ? ['email' as const] : [])]
  return members.map((member) => presentMember(member, factorsOf(member)))
}

/** To an administrator. */
export const presentOne = async (context: OrganizationsContext, actor: OrgActor, row: UserRow): Promise<Member> => {
  const [member] = await presentFor(context, actor, [row])
  return member ?? presentMember(row, [])
}

const describeInvitations = async (
  context: OrganizationsContext,
  actor: OrgActor,
  rows: readonly InvitationRow[],
): Promise<Invitation[]> => {
  if (rows.length === 0) return []
  const { db, mail } = context
  const mailIds = rows.flatMap(({ mailId }) => mailId ?? [])
  const [mails, organization] = await Promise.all([
    mail.listStatusesUnscoped(db, mailIds),
    findOwnOrganization(db, actor),
  ])
  // While there is no mail server, every email is kept, and none of them has failed.
  const hasFailed = (found: (typeof mails)[number]) => (mail.hasServer ? isLost(found) : found.status === 'failed')
  const failed = new Set(mails.filter(hasFailed).map(({ id }) => id))
  // The sign-in may have been changed since the invitation was sent.
  const isByLink = organization !== undefined && joinMethodOf(organization, context).by === 'link'
  return rows.map((row) =>
    presentInvitation(row, { hasMailServer: mail.hasServer, hasFailed: failed.has(row.mailId ?? ''), isByLink }),
  )
}
