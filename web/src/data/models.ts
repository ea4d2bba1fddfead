/** The models that the viewer may use. */
import * as endpoints from '@chancery/contract/endpoints/models.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

/** Of everything that depends on the models. */
export const modelsKey = ['models']

const modelsQuery = queryOptions({
  queryKey: [...modelsKey, 'list'],
  queryFn: async () => (await call(endpoints.listModels)).data,
  staleTime: 60_000,
})

export const useModels = () => useQuery(modelsQuery)
