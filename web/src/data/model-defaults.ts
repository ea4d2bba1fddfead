/** Default and pinned models: the person's, their organization's and everybody's. */

import * as endpoints from '@chancery/contract/endpoints/models.ts'
import type { DefaultsScope, ModelDefaults } from '@chancery/contract/models/defaults.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

export const modelDefaultsQuery = queryOptions({
  queryKey: ['model-defaults'],
  queryFn: () => call(endpoints.getModelDefaults),
  staleTime: 60_000,
})

export function useSaveModelDefaults(scope: DefaultsScope) {
  const queryClient = useQueryClient()
  return async (defaults: ModelDefaults) =>
    queryClient.setQueryData(
      modelDefaultsQuery.queryKey,
      await call(endpoints.setModelDefaults, { body: { scope, ...defaults } }),
    )
}
