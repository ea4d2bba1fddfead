/** Model connections. Only platform admins can use these. */
import { Connection, ConnectionList, ConnectionTest } from '@chancery/contract/connections.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'

const path = '/api/v1/connections'
const listKey = ['connections']
/** Refetched, because health changes on its own. */
const refreshMs = 30_000

const one = (id: string) => `${path}/${encodeURIComponent(id)}`

export const useConnections = () =>
  useQuery({ queryKey: listKey, queryFn: () => api.get(path, ConnectionList), refetchInterval: refreshMs })

export function useRefreshConnections() {
  const queryClient = useQueryClient()
  // The available models depend on the connections.
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: listKey }),
      queryClient.invalidateQueries({ queryKey: ['models'] }),
    ])
}

/** Creates a connection, or updates the one with this ID. */
export function useSaveConnection(id: string | undefined) {
  const refresh = useRefreshConnections()
  return async (body: unknown): Promise<Connection> => {
    const saved = id === undefined ? await api.post(path, body, Connection) : await api.patch(one(id), body, Connection)
    await refresh()
    return saved
  }
}

export const useTestConnection = () =>
  useMutation({ mutationFn: (body: unknown) => api.post(`${path}/test`, body, ConnectionTest) })

export const setConnection = ({ id }: Connection, enabled: boolean) => api.patch(one(id), { enabled }, Connection)
export const deleteConnection = ({ id }: Connection) => api.tell('DELETE', one(id))
