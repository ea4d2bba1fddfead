/** Settings that an admin can save over the environment's values. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

const key = ['settings']

export const useSettings = () => useQuery({ queryKey: key, queryFn: () => call(endpoints.getSettings) })

/** Null removes the saved value. */
export function useSaveSetting() {
  const queryClient = useQueryClient()
  return async (name: string, value: unknown) => {
    queryClient.setQueryData(key, await call(endpoints.changeSettings, { body: { [name]: value } }))
  }
}
