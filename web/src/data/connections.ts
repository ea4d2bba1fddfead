/** Connections to providers of models. */
import * as endpoints from '@chancery/contract/endpoints/models.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: () => call(endpoints.listConnections),
})
