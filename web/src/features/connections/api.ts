/** Connections: where models live. Only the platform's admins reach these. */
import { Connection, ConnectionList, ConnectionTest } from '@chancery/contract/connections.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/api.ts'
import { toast } from '#ui/toast.tsx'

const path = '/api/v1/connections'
const listKey = ['connections']
/** Health changes by itself. */
const refreshMs = 30_000

const one = (id: string) => `${path}/${encodeURIComponent(id)}`

export const useConnections = () =>
  useQuery({ queryKey: listKey, queryFn: () => api.get(path, ConnectionList), refetchInterval: refreshMs })

function useRefresh() {
  const queryClient = useQueryClient()
  // What can be chatted with follows from what is connected.
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: listKey }),
      queryClient.invalidateQueries({ queryKey: ['models'] }),
    ])
}

/** Makes one, or changes the one with this id. */
export function useSaveConnection(id: string | undefined) {
  const refresh = useRefresh()
  return async (body: unknown): Promise<Connection> => {
    const saved = id === undefined ? await api.post(path, body, Connection) : await api.patch(one(id), body, Connection)
    await refresh()
    return saved
  }
}

export const useTestConnection = () =>
  useMutation({ mutationFn: (body: unknown) => api.post(`${path}/test`, body, ConnectionTest) })

export function useSwitchConnection() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id, enabled }: Connection) => api.patch(one(id), { enabled: !enabled }, Connection),
    onSuccess: ({ name, enabled }) => toast.done(`${name} is switched ${enabled ? 'on' : 'off'}.`),
    onError: toast.failed,
    onSettled: refresh,
  })
}

export function useDeleteConnection(onDone: () => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id }: Connection) => api.tell('DELETE', one(id)),
    onSuccess: (_, { name }) => toast.done(`The connection “${name}” is deleted.`),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await refresh()
    },
  })
}
