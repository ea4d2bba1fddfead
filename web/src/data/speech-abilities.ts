/** The server's speech engines, and the person's speech settings. Without an engine the browser does it. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'

const path = '/api/v1/audio/preferences'
/** Loaded with the first call: lib is part of the sign-in page, which stays small. */
const shape = async () => (await import('@chancery/contract/files/audio.ts')).AudioAbilities

const abilitiesQuery = queryOptions({
  queryKey: ['audio-abilities'],
  queryFn: () => api.get(path, shape),
  staleTime: 60_000,
})

export const useAbilities = () => useQuery(abilitiesQuery)

export function useSavePreferences() {
  const queryClient = useQueryClient()
  return async (preferences: unknown): Promise<void> => {
    queryClient.setQueryData(abilitiesQuery.queryKey, await api.patch(path, preferences, shape))
  }
}
