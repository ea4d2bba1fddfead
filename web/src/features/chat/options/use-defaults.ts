/** What the person's new chats start with. */
import { ChatOptions } from '@chancery/contract/chats.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'

const path = '/api/v1/chats/defaults'

const defaultsQuery = queryOptions({
  queryKey: ['chats', 'defaults'],
  queryFn: () => api.get(path, ChatOptions),
  staleTime: 60_000,
})

export const useDefaults = (): ChatOptions => useQuery(defaultsQuery).data ?? {}

export function useSaveDefaults() {
  const queryClient = useQueryClient()
  return async (options: ChatOptions) =>
    queryClient.setQueryData(defaultsQuery.queryKey, await api.put(path, options, ChatOptions))
}
