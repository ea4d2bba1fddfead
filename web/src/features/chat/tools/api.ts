/** What the person may use in a chat: tools, filters to switch on, and actions. */
import { ToolList } from '@chancery/contract/completions.ts'
import { ActionReply, UsablePlugins } from '@chancery/contract/plugins.ts'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { sessionId } from '#lib/http/socket.ts'

const toolsQuery = queryOptions({
  queryKey: ['tools', 'usable'],
  queryFn: async () => (await api.get('/api/v1/tools', ToolList)).items,
  staleTime: 60_000,
})

const functionsQuery = queryOptions({
  queryKey: ['functions', 'usable'],
  queryFn: async () => (await api.get('/api/v1/functions/usable', UsablePlugins)).items,
  staleTime: 60_000,
})

export const useTools = () => useQuery(toolsQuery)
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
  api.post(
    `/api/chat/actions/${encodeURIComponent(actionId)}`,
    { model, messages, chat_id: chatId, id: messageId, session_id: sessionId },
    ActionReply,
  )
