/** `/api/v1/usage/limits`: for platform admins, and for administrators within their organization. */
import * as endpoints from '@chancery/contract/endpoints/usage.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { UsageContext } from '../context.ts'
import { listLimits } from '../list-limits.ts'
import { presentLimit } from '../present.ts'
import { createLimit, deleteLimit, type SavedLimit, updateLimit } from '../save-limit.ts'

const limits = [{ per: 'actor', max: 1000, windowSec: 3600 }] as const

const present = ({ limit, subject }: SavedLimit) => presentLimit(limit, subject)

export const limitRoutes = (context: UsageContext): Route[] => [
  route({
    ...endpoints.listLimits,
    access: 'signedIn',
    summary: 'The limits that you administer',
    handle: async ({ actor, query }) => {
      const { items, total } = await listLimits(context, actor, query)
      return { items: items.map(present), total }
    },
  }),
  route({
    ...endpoints.createLimit,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Set a limit for a user, a group, a key, an organization or everyone',
    limits,
    handle: async ({ actor, body, http }) => present(await createLimit(context, actor, { body, from: http })),
  }),
  route({
    ...endpoints.changeLimit,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Change a limit',
    limits,
    handle: async ({ actor, params, body, http }) =>
      present(await updateLimit(context, actor, { id: params.id, body, from: http })),
  }),
  route({
    ...endpoints.deleteLimit,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Remove a limit',
    limits,
    handle: ({ actor, params, http }) => deleteLimit(context, actor, { id: params.id, from: http }),
  }),
]
