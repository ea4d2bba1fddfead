/** The platform console's organizations: find one, and edit its plan, its login and its standing. */
import {
  OrganizationDetail,
  OrganizationListQuery,
  OrganizationPatch,
  OrganizationRowList,
} from '@chancery/contract/platform.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { type OrganizationRow, presentDetail, presentForConsole } from '#modules/organizations/index.ts'

import type { AdminContext } from '../context.ts'

export const organizationRoutes = ({ db, accounts, organizations }: AdminContext): Route[] => {
  const detail = async (row: OrganizationRow) => {
    const [members, domains] = await Promise.all([
      accounts.users.countMembersUnscoped(db, [row.id]),
      organizations.listDomainsUnscoped(db, row.id),
    ])
    return presentDetail(row, { memberCount: members.get(row.id) ?? 0, domains })
  }
  return [
    route({
      method: 'GET',
      path: '/api/admin/organizations',
      access: 'platformOwner',
      summary: 'Every organization, newest first unless sorted',
      query: OrganizationListQuery,
      reply: OrganizationRowList,
      handle: async ({ query }) => {
        const { items, total } = await organizations.listUnscoped(db, query)
        const ids = items.map(({ id }) => id)
        const members = await accounts.users.countMembersUnscoped(db, ids)
        return { items: items.map((row) => presentForConsole(row, members.get(row.id) ?? 0)), total }
      },
    }),
    route({
      method: 'GET',
      path: '/api/admin/organizations/:id',
      access: 'platformOwner',
      summary: 'One organization',
      reply: OrganizationDetail,
      handle: async ({ params }) => {
        const organization = await organizations.findUnscoped(db, params.id)
        if (!organization) throw new AppError('organization_not_found')
        return detail(organization)
      },
    }),
    route({
      method: 'PATCH',
      path: '/api/admin/organizations/:id',
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Edit plan, limits, trial, login and domains, or close an organization',
      body: OrganizationPatch,
      reply: OrganizationDetail,
      handle: async ({ actor, params, body, http }) =>
        detail(await organizations.editUnscoped(actor, { organizationId: params.id, patch: body, from: http })),
    }),
  ]
}
