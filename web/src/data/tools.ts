/** The tools that the viewer may use. */
import * as endpoints from '@chancery/contract/endpoints/plugins.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

export const toolsQuery = queryOptions({
  queryKey: ['tools', 'usable'],
  queryFn: async () => (await call(endpoints.listTools)).items,
  staleTime: 60_000,
})

export const useTools = () => useQuery(toolsQuery)
