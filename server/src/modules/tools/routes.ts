/** `/api/v1/tools`: what the caller may put into `tool_ids`. */
import { ToolList } from '@chancery/contract/completions.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { Tools } from './interface.ts'

export const toolRoutes = (list: Tools['list']): Route[] => [
  route({
    method: 'GET',
    path: '/api/v1/tools',
    access: 'signedIn',
    summary: 'The tools that a completion may name in tool_ids',
    reply: ToolList,
    handle: async ({ actor }) => {
      const items = await list(actor)
      return { items, total: items.length }
    },
  }),
]
