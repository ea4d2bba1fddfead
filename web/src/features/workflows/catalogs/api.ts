/** Catalogs, spaces and credentials of HTTP requests, which triggers, runs and nodes refer to. */

import * as endpoints from '@chancery/contract/endpoints/catalogs.ts'
import type { Catalog, Space } from '@chancery/contract/workflows/catalogs.ts'
import type { Credential } from '@chancery/contract/workflows/http-credentials.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call, unchecked } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

export type CatalogItem = z.infer<typeof Catalog>
export type SpaceItem = z.infer<typeof Space>
export type CredentialItem = Credential

/** There are only a few per account, so the list shows one full page. */
const limit = 200

const catalogsKey = ['catalogs']
const spacesKey = ['spaces']
const credentialsKey = ['http-credentials']

export const useCatalogs = () =>
  useQuery({ queryKey: catalogsKey, queryFn: () => call(endpoints.listCatalogs, { query: { limit } }) })

export const useSpaces = () =>
  useQuery({ queryKey: spacesKey, queryFn: () => call(endpoints.listSpaces, { query: { limit } }) })

export const useCredentials = () =>
  useQuery({ queryKey: credentialsKey, queryFn: () => call(endpoints.listCredentials, { query: { limit } }) })

/** With the workflows that use it. */
export const useCredential = (id: string) =>
  useQuery({
    queryKey: [...credentialsKey, id],
    queryFn: () => call(endpoints.getCredential, { params: { id } }),
  })

/** Creates a credential, or updates the one with this ID. */
export function useSaveCredential(id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<CredentialItem> => {
    const saved =
      id === undefined
        ? await call(endpoints.createCredential, { body: unchecked(body) })
        : await call(endpoints.changeCredential, { params: { id }, body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey: credentialsKey })
    return saved
  }
}

/** Creates a catalog, or updates the one with this ID. */
export function useSaveCatalog(id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<CatalogItem> => {
    const saved =
      id === undefined
        ? await call(endpoints.createCatalog, { body: unchecked(body) })
        : await call(endpoints.changeCatalog, { params: { id }, body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey: catalogsKey })
    return saved
  }
}

/** Creates a space, or updates the one with this ID. */
export function useSaveSpace(id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<SpaceItem> => {
    const saved =
      id === undefined
        ? await call(endpoints.createSpace, { body: unchecked(body) })
        : await call(endpoints.changeSpace, { params: { id }, body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey: spacesKey })
    return saved
  }
}

const resources = {
  catalog: { endpoint: endpoints.deleteCatalog, key: catalogsKey },
  credential: { endpoint: endpoints.deleteCredential, key: credentialsKey },
  space: { endpoint: endpoints.deleteSpace, key: spacesKey },
}

export type ResourceNoun = keyof typeof resources

interface Removal {
  noun: ResourceNoun
  onDone: () => void
}

export function useDelete({ noun, onDone }: Removal) {
  const queryClient = useQueryClient()
  const { endpoint, key } = resources[noun]
  return useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => call(endpoint, { params: { id } }),
    onSuccess: (_, { name }) => toast.done(`Deleted ${noun} “${name}”`),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: key })
    },
  })
}
