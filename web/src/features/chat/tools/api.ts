/** What the person may use in a chat: tools, filters to switch on, and actions. */
import * as endpoints from '@chancery/contract/endpoints/plugins.ts'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { toolsQuery } from '#data/tools.ts'
import { call } from '#lib/http/call.ts'
import { sessionId } from '#lib/http/socket.ts'

const functionsQuery = queryOptions({
  queryKey: ['functions', 'usable'],
  queryFn: async () => (await call(endpoints.listUsableFunctions)).items,
  staleTime: 60_000,
})

export const useFunctions = () => useQuery(functionsQuery)
export const useActions = () => useFunctions().data?.filter(({ type }) => type === 'action') ?? []

/** As far as they are loaded. */
export const usableIn = (queryClient: QueryClient) => ({
  toolIds: queryClient.getQueryData(toolsQuery.queryKey)?.map(({ id }) => id),
  filterIds: queryClient
    .getQueryData(functionsQuery.queryKey)
    ?.filter(({ type }) => type === 'filter')
    .map(({ id }) => id),
})

interface ActionRequest {
  actionId: string
  chatId: string
  messageId: string
  model: string
  messages: readonly { id: string; role: string; content: string }[]
}

export const runAction = ({ actionId, chatId, messageId, model, messages }: ActionRequest) =>
  call(endpoints.runAction, {
    params: { plugin: actionId },
    body: { model, messages, chat_id: chatId, id: messageId, session_id: sessionId },
  })
