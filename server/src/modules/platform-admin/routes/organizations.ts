/** The platform console's organizations: find one, and edit its plan, its login and its standing. */
import { PageQuery } from '@chancery/contract/lists.ts'
import { OrganizationDetail, OrganizationPatch, OrganizationRowList } from '@chancery/contract/platform.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { countMembers } from '#modules/accounts/index.ts'
import {
  editOrganizationUnscoped,
  findOrganizationUnscoped,
  listDomainsUnscoped,
  listOrganizationsUnscoped,
  type OrganizationRow,
  type OrganizationsContext,
  presentDetail,
  presentForConsole,
} from '#modules/organizations/index.ts'

export const organizationRoutes = (organizations: OrganizationsContext): Route[] => {
  const { db } = organizations.accounts
  const detail = async (row: OrganizationRow) => {
    const [members, domains] = await Promise.all([countMembers(db, [row.id]), listDomainsUnscoped(db, row.id)])
    return presentDetail(row, { memberCount: members.get(row.id) ?? 0, domains })
  }
  return [
    route({
      method: 'GET',
      path: '/api/admin/organizations',
      access: 'platformOwner',
      summary: 'Every organization, newest first',
      query: PageQuery,
      reply: OrganizationRowList,
      handle: async ({ query }) => {
        const { items, total } = await listOrganizationsUnscoped(db, query)
        const ids = items.map(({ id }) => id)
        const members = await countMembers(db, ids)
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
        const organization = await findOrganizationUnscoped(db, params.id)
        if (!organization) throw new AppError('organization_not_found')
        return detail(organization)
      },
    }),
    route({
      method: 'PATCH',
      path: '/api/admin/organizations/:id',
      access: 'platformOwner',
      summary: 'Edit plan, limits, trial, login and domains, or close an organization',
      body: OrganizationPatch,
      reply: OrganizationDetail,
      handle: async ({ actor, params, body, http }) =>
        detail(
          await editOrganizationUnscoped(organizations, actor, { organizationId: params.id, patch: body, from: http }),
        ),
    }),
  ]
}
