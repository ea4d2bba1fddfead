/** Settings that an admin can save over the environment's values. */
import { SettingList } from '@chancery/contract/settings.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'

const key = ['settings']
const path = '/api/v1/configs'

export const useSettings = () => useQuery({ queryKey: key, queryFn: () => api.get(path, SettingList) })

/** Null removes the saved value. */
export function useSaveSetting() {
  const queryClient = useQueryClient()
  return async (name: string, value: unknown) => {
    queryClient.setQueryData(key, await api.post(path, { [name]: value }, SettingList))
  }
}
