/** The server's speech engines, and the person's speech settings. Without an engine the browser does it. */
import * as endpoints from '@chancery/contract/endpoints/audio.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'

const abilitiesQuery = queryOptions({
  queryKey: ['audio-abilities'],
  queryFn: () => call(endpoints.getAudioPreferences),
  staleTime: 60_000,
})

export const useAbilities = () => useQuery(abilitiesQuery)

export function useSavePreferences() {
  const queryClient = useQueryClient()
  return async (preferences: unknown): Promise<void> => {
    queryClient.setQueryData(
      abilitiesQuery.queryKey,
      await call(endpoints.changeAudioPreferences, { body: unchecked(preferences) }),
    )
  }
}
