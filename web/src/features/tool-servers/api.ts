/** Tool servers. Platform admins set them up; each person signs in where a server asks for it. */
import {
  ServerConnections,
  type ToolServer,
  type ToolServerBody,
  ToolServerList,
  ToolServerTest,
} from '@chancery/contract/tool-servers.ts'
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { toast } from '#ui/feedback/toast.ts'

const path = '/api/v1/configs/tool_servers'
const all = ['tool-servers']
const listKey = [...all, 'list']
const connections = '/api/v1/tools/connections'

export const useToolServers = () => useQuery({ queryKey: listKey, queryFn: () => api.get(path, ToolServerList) })

/** Without its key: the stored one is kept. */
export const bodyOf = ({ tool_id: _, has_key: _key, ...server }: ToolServer): ToolServerBody => server

/** The list is saved as a whole, so it is read again just before. */
function useChangeList() {
  const queryClient = useQueryClient()
  return async (change: (items: readonly ToolServerBody[]) => readonly ToolServerBody[]): Promise<void> => {
    const { items } = await api.get(path, ToolServerList)
    const saved = await api.post(path, { items: change(items.map(bodyOf)) }, ToolServerList)
    queryClient.setQueryData(listKey, saved)
    await Promise.all([all, ['tools']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
}

export function useSaveServer(isNew: boolean) {
  const change = useChangeList()
  return (body: ToolServerBody) =>
    change((items) => (isNew ? [...items, body] : items.map((one) => (one.id === body.id ? body : one))))
}

export function useSwitchServer() {
  const change = useChangeList()
  return useMutation({
    mutationFn: ({ id, enabled }: ToolServer) =>
      change((items) => items.map((one) => (one.id === id ? { ...one, enabled: !enabled } : one))),
    onSuccess: (_, { name, enabled }) => toast.done(`${name} turned ${enabled ? 'off' : 'on'}`),
    onError: toast.failed,
  })
}

export function useDeleteServer(onDone: () => void) {
  const change = useChangeList()
  return useMutation({
    mutationFn: ({ id }: ToolServer) => change((items) => items.filter((one) => one.id !== id)),
    onSuccess: (_, { name }) => toast.done(`Tool server “${name}” deleted`),
    onError: toast.failed,
    onSettled: onDone,
  })
}

export const useTestServer = () =>
  useMutation({ mutationFn: (body: unknown) => api.post(`${path}/verify`, body, ToolServerTest) })

/** Whether a saved server answers now. */
export const useServerState = (server: ToolServer | undefined) =>
  useQuery({
    queryKey: [...all, 'state', server],
    queryFn: server?.enabled ? () => api.post(`${path}/verify`, bodyOf(server), ToolServerTest) : skipToken,
    staleTime: 60_000,
  })

export const useConnections = () =>
  useQuery({
    queryKey: [...all, 'connections'],
    queryFn: async () => (await api.get(connections, ServerConnections)).items,
  })

/** A page of the server, so the whole tab goes there. */
export const connectHref = (id: string) => `/oauth/clients/${encodeURIComponent(id)}/authorize`

export function useDisconnect() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: { id: string; name: string }) =>
      api.tell('DELETE', `${connections}/${encodeURIComponent(id)}`),
    onSuccess: (_, { name }) => toast.done(`Disconnected from ${name}`),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: all }),
  })
}
