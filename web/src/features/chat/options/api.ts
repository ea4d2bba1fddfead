/** The options that the person's new chats start with. */

import type { ChatOptions } from '@chancery/contract/chats/chats.ts'
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

const defaultsQuery = queryOptions({
  queryKey: ['chats', 'defaults'],
  queryFn: () => call(endpoints.getChatDefaults),
  staleTime: 60_000,
})

export const useDefaults = (): ChatOptions => useQuery(defaultsQuery).data ?? {}

export function useSaveDefaults() {
  const queryClient = useQueryClient()
  return async (options: ChatOptions) =>
    queryClient.setQueryData(defaultsQuery.queryKey, await call(endpoints.setChatDefaults, { body: options }))
}
