/** The viewer's API keys. */
import { type ApiKey, ApiKeyList, NewApiKey } from '@chancery/contract/api-keys.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'

const keysKey = ['api-keys']
const path = '/api/v1/api-keys'

export const useApiKeys = () => useQuery({ queryKey: keysKey, queryFn: () => api.get(path, ApiKeyList) })

export function useCreateKey() {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<NewApiKey> => {
    const made = await api.post(path, body, NewApiKey)
    await queryClient.invalidateQueries({ queryKey: keysKey })
    return made
  }
}

export const revokeKey = ({ id }: ApiKey) => api.tell('DELETE', `${path}/${id}`)

export function useRefreshKeys() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: keysKey })
}
