/** The people of the caller's organization. */
import { Member, RoleBody, Team, TeamQuery } from '@chancery/contract/team.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { OrganizationsContext } from '../context.ts'
import { asMember } from '../members/as-member.ts'
import { changeMemberRole } from '../members/change-member-role.ts'
import { listTeam } from '../members/list-team.ts'
import { setMemberStatus } from '../members/set-member-status.ts'
import { presentMember } from '../present.ts'

const limits = [{ per: 'actor', max: 300, windowSec: 3600 }] as const

export const teamRoutes = (context: OrganizationsContext): Route[] => [
  route({
    method: 'GET',
    path: '/api/org/team',
    access: 'user',
    summary: 'The members; administrators also see who is deactivated and who is invited',
    query: TeamQuery,
    reply: Team,
    handle: ({ actor, query }) => listTeam(context, asMember(actor), query),
  }),
  route({
    method: 'PUT',
    path: '/api/org/team/:userId/role',
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: "Set a member's role",
    limits,
    body: RoleBody,
    reply: Member,
    handle: async ({ actor, params, body, http }) =>
      presentMember(await changeMemberRole(context, actor, { ...params, ...body, from: http })),
  }),
  route({
    method: 'POST',
    path: '/api/org/team/:userId/deactivate',
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Cut a member off: sessions, keys and logins',
    limits,
    reply: Member,
    handle: async ({ actor, params, http }) =>
      presentMember(await setMemberStatus(context, actor, { ...params, status: 'DEACTIVATED', from: http })),
  }),
  route({
    method: 'POST',
    path: '/api/org/team/:userId/reactivate',
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Let a member in again',
    limits,
    reply: Member,
    handle: async ({ actor, params, http }) =>
      presentMember(await setMemberStatus(context, actor, { ...params, status: 'ACTIVE', from: http })),
  }),
]
