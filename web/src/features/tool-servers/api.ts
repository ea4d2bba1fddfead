/** Tool servers. Platform admins set them up; each person signs in where a server asks for it. */
import * as endpoints from '@chancery/contract/endpoints/tool-servers.ts'
import type { ToolServer, ToolServerBody } from '@chancery/contract/plugins/tool-servers.ts'
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

const all = ['tool-servers']
const listKey = [...all, 'list']

export const useToolServers = () => useQuery({ queryKey: listKey, queryFn: () => call(endpoints.getToolServers) })

/** Without its key: the stored one is kept. */
export const bodyOf = ({ tool_id: _, has_key: _key, ...server }: ToolServer): ToolServerBody => server

/** The list is saved as a whole, so it is read again just before. */
function useChangeList() {
  const queryClient = useQueryClient()
  return async (change: (items: readonly ToolServerBody[]) => readonly ToolServerBody[]): Promise<void> => {
    const { items } = await call(endpoints.getToolServers)
    const saved = await call(endpoints.saveToolServers, { body: { items: change(items.map(bodyOf)) } })
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
  useMutation({ mutationFn: (body: unknown) => call(endpoints.verifyToolServer, { body: unchecked(body) }) })

/** Whether a saved server answers now. */
export const useServerState = (server: ToolServer | undefined) =>
  useQuery({
    queryKey: [...all, 'state', server],
    queryFn: server?.enabled ? () => call(endpoints.verifyToolServer, { body: bodyOf(server) }) : skipToken,
    staleTime: 60_000,
  })

export const useConnections = () =>
  useQuery({
    queryKey: [...all, 'connections'],
    queryFn: async () => (await call(endpoints.listSignIns)).items,
  })

/** A page of the server, so the whole tab goes there. */
export const connectHref = (id: string) => `/oauth/clients/${encodeURIComponent(id)}/authorize`

export function useDisconnect() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => call(endpoints.signOut, { params: { server: id } }),
    onSuccess: (_, { name }) => toast.done(`Disconnected from ${name}`),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: all }),
  })
}
