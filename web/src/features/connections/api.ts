/** Model connections. Only platform admins can use these. */

import * as endpoints from '@chancery/contract/endpoints/models.ts'
import type { Connection } from '@chancery/contract/models/connections.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { connectionsQuery } from '#data/connections.ts'
import { modelsKey } from '#data/models.ts'
import { call, unchecked } from '#lib/http/call.ts'

/** Refetched, because health changes on its own. */
const refreshMs = 30_000

export const useConnections = () => useQuery({ ...connectionsQuery, refetchInterval: refreshMs })

export function useRefreshConnections() {
  const queryClient = useQueryClient()
  // The available models depend on the connections.
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
      queryClient.invalidateQueries({ queryKey: modelsKey }),
    ])
}

/** Creates a connection, or updates the one with this ID. */
export function useSaveConnection(id: string | undefined) {
  const refresh = useRefreshConnections()
  return async (body: unknown): Promise<Connection> => {
    const saved =
      id === undefined
        ? await call(endpoints.createConnection, { body: unchecked(body) })
        : await call(endpoints.changeConnection, { params: { id }, body: unchecked(body) })
    await refresh()
    return saved
  }
}

export const useTestConnection = () =>
  useMutation({ mutationFn: (body: unknown) => call(endpoints.testConnection, { body: unchecked(body) }) })

export const setConnection = ({ id }: Connection, enabled: boolean) =>
  call(endpoints.changeConnection, { params: { id }, body: { enabled } })
export const deleteConnection = ({ id }: Connection) => call(endpoints.deleteConnection, { params: { id } })
