/** The viewer's API keys. */

import type { ApiKey, NewApiKey } from '@chancery/contract/accounts/api-keys.ts'
import * as endpoints from '@chancery/contract/endpoints/accounts.ts'
import { listModels } from '@chancery/contract/endpoints/models.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'

/** What a key may be limited to, for example. */
export const examplePath = addressOf(listModels)

const keysKey = ['api-keys']

export const useApiKeys = () => useQuery({ queryKey: keysKey, queryFn: () => call(endpoints.listApiKeys) })

export function useCreateKey() {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<NewApiKey> => {
    const made = await call(endpoints.createApiKey, { body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey: keysKey })
    return made
  }
}

export const revokeKey = ({ id }: ApiKey) => call(endpoints.revokeApiKey, { params: { id } })

export function useRefreshKeys() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: keysKey })
}
