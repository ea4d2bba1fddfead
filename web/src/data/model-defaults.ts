/** Default and pinned models: the person's, their organization's and everybody's. */
import type { DefaultsScope, ModelDefaults } from '@chancery/contract/models/defaults.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'

const path = '/api/v1/models/defaults'
/** Loaded with the first call: lib is part of the sign-in page, which stays small. */
const shape = async () => (await import('@chancery/contract/models/defaults.ts')).ModelDefaultsReply

export const modelDefaultsQuery = queryOptions({
  queryKey: ['model-defaults'],
  queryFn: () => api.get(path, shape),
  staleTime: 60_000,
})

export function useSaveModelDefaults(scope: DefaultsScope) {
  const queryClient = useQueryClient()
  return async (defaults: ModelDefaults) =>
    queryClient.setQueryData(modelDefaultsQuery.queryKey, await api.put(path, { scope, ...defaults }, shape))
}
