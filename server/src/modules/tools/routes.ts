/** `/api/v1/tools`: what the caller may put into `tool_ids`. */
import * as endpoints from '@chancery/contract/endpoints/plugins.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { Tools } from './interface.ts'

export const toolRoutes = (list: Tools['list']): Route[] => [
  route({
    ...endpoints.listTools,
    access: 'signedIn',
    summary: 'The tools that a completion may name in tool_ids',
    handle: async ({ actor }) => {
      const items = await list(actor)
      return { items, total: items.length }
    },
  }),
]
