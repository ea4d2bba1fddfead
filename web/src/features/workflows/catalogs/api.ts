/** Credential catalogs and spaces, which triggers and runs refer to. */
import { Catalog, CatalogList, Space, SpaceList } from '@chancery/contract/catalogs.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api, withQuery } from '#lib/api.ts'
import { toast } from '#ui/toast.tsx'

export type CatalogItem = z.infer<typeof Catalog>
export type SpaceItem = z.infer<typeof Space>

/** There are only a few per account, so the list shows one full page. */
const limit = 200

const catalogsPath = '/api/v1/catalogs'
const spacesPath = '/api/v1/spaces'
const catalogsKey = ['catalogs']
const spacesKey = ['spaces']

export const useCatalogs = () =>
  useQuery({ queryKey: catalogsKey, queryFn: () => api.get(withQuery(catalogsPath, { limit }), CatalogList) })

export const useSpaces = () =>
  useQuery({ queryKey: spacesKey, queryFn: () => api.get(withQuery(spacesPath, { limit }), SpaceList) })

/** Creates a catalog, or updates the one with this ID. */
export function useSaveCatalog(id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<CatalogItem> => {
    const saved =
      id === undefined
        ? await api.post(catalogsPath, body, Catalog)
        : await api.patch(`${catalogsPath}/${encodeURIComponent(id)}`, body, Catalog)
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
        ? await api.post(spacesPath, body, Space)
        : await api.patch(`${spacesPath}/${encodeURIComponent(id)}`, body, Space)
    await queryClient.invalidateQueries({ queryKey: spacesKey })
    return saved
  }
}

interface Removal {
  noun: 'catalog' | 'space'
  onDone: () => void
}

export function useDelete({ noun, onDone }: Removal) {
  const queryClient = useQueryClient()
  const [path, key] = noun === 'catalog' ? [catalogsPath, catalogsKey] : [spacesPath, spacesKey]
  return useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => api.tell('DELETE', `${path}/${encodeURIComponent(id)}`),
    onSuccess: (_, { name }) => toast.done(`Deleted ${noun} “${name}”`),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: key })
    },
  })
}
