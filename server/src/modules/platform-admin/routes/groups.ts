/** The platform console's groups: every organization's, to grant to and to set limits for by name. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { presentGroup } from '#modules/organizations/index.ts'
import type { AdminContext } from '../context.ts'

export const groupRoutes = ({ db, organizations }: AdminContext): Route[] => [
  route({
    ...endpoints.listGroups,
    access: 'platformOwner',
    summary: 'The groups of every organization, by name',
    handle: async ({ query }) => {
      const { items, total } = await organizations.units.listGroupsUnscoped(db, query)
      return { items: items.map(presentGroup), total }
    },
  }),
  route({
    ...endpoints.getGroup,
    access: 'platformOwner',
    summary: 'One group',
    handle: async ({ params }) => {
      const group = await organizations.units.findGroupUnscoped(db, params.id)
      if (!group) throw new AppError('unit_not_found')
      return presentGroup(group)
    },
  }),
]
