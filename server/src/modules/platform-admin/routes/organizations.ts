/** The platform console's organizations: find one, and edit its plan, its login and its standing. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
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
      ...endpoints.listOrganizations,
      access: 'platformOwner',
      summary: 'Every organization, newest first unless sorted',
      handle: async ({ query }) => {
        const { items, total } = await organizations.listUnscoped(db, query)
        const ids = items.map(({ id }) => id)
        const members = await accounts.users.countMembersUnscoped(db, ids)
        return { items: items.map((row) => presentForConsole(row, members.get(row.id) ?? 0)), total }
      },
    }),
    route({
      ...endpoints.getOrganization,
      access: 'platformOwner',
      summary: 'One organization',
      handle: async ({ params }) => {
        const organization = await organizations.findUnscoped(db, params.id)
        if (!organization) throw new AppError('organization_not_found')
        return detail(organization)
      },
    }),
    route({
      ...endpoints.changeOrganization,
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Edit plan, limits, trial, login and domains, or close an organization',
      handle: async ({ actor, params, body, http }) =>
        detail(await organizations.editUnscoped(actor, { organizationId: params.id, patch: body, from: http })),
    }),
  ]
}
