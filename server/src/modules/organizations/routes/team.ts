/** The people of the caller's organization. */
import * as endpoints from '@chancery/contract/endpoints/organizations.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { OrganizationsContext } from '../context.ts'
import { asMember } from '../members/as-member.ts'
import { changeMemberRole } from '../members/change-member-role.ts'
import { answerTeam, presentOne } from '../members/list-team.ts'
import { resetMemberFactors } from '../members/reset-member-factors.ts'
import { setMemberStatus } from '../members/set-member-status.ts'

const limits = [{ per: 'actor', max: 300, windowSec: 3600 }] as const

export const teamRoutes = (context: OrganizationsContext): Route[] => [
  route({
    ...endpoints.listTeam,
    reply: 'raw',
    access: 'user',
    summary: 'The members; administrators also see who is deactivated and who is invited',
    handle: ({ actor, query }) => answerTeam(context, asMember(actor), query),
  }),
  route({
    ...endpoints.changeRole,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: "Set a member's role",
    limits,
    handle: async ({ actor, params, body, http }) =>
      presentOne(context, actor, await changeMemberRole(context, actor, { ...params, ...body, from: http })),
  }),
  route({
    ...endpoints.deactivateMember,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Cut a member off: sessions, keys and logins',
    limits,
    handle: async ({ actor, params, http }) =>
      presentOne(
        context,
        actor,
        await setMemberStatus(context, actor, { ...params, status: 'DEACTIVATED', from: http }),
      ),
  }),
  route({
    ...endpoints.reactivateMember,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Let a member in again',
    limits,
    handle: async ({ actor, params, http }) =>
      presentOne(context, actor, await setMemberStatus(context, actor, { ...params, status: 'ACTIVE', from: http })),
  }),
  route({
    ...endpoints.resetFactors,
    access: 'orgAdmin',
    needsFreshProof: true,
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: "Remove a member's second factors and sign them out everywhere",
    limits,
    handle: async ({ actor, params, http }) =>
      presentOne(context, actor, await resetMemberFactors(context, actor, { ...params, from: http })),
  }),
]
