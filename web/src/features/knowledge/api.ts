/** Collections, their files, and retrieval. The only file of the feature that knows URLs. */

import * as filesEndpoints from '@chancery/contract/endpoints/files.ts'
import * as knowledgeEndpoints from '@chancery/contract/endpoints/knowledge.ts'
import type { Collection, CollectionDetail, Crawl, CrawlBody, FileFilter } from '@chancery/contract/files/knowledge.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { activityKey } from '#data/activity-key.ts'
import { organizationQuery } from '#data/organization.ts'
import { call, unchecked } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

export const collectionsLimit = 30
export const filesLimit = 50
export const chunksLimit = 50

export const collectionsKey = ['collections'] as const
const filesKey = ['files'] as const
const collectionKey = (id: string) => ['collection', id] as const

export interface ListQuery {
  search?: string | undefined
  page?: number | undefined
  sort?: string | undefined
}

export const useCollections = (query: ListQuery) =>
  useQuery({
    queryKey: [...collectionsKey, query],
    queryFn: () => call(knowledgeEndpoints.listCollections, { query: { ...query, limit: collectionsLimit } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isBusy) ? busyRefreshMs : false),
  })

const few = 6

export const foundQuery = (search: string) => ({
  queryKey: [...collectionsKey, 'found', search],
  queryFn: () => call(knowledgeEndpoints.listCollections, { query: { search, limit: few } }),
})

const busyRefreshMs = 1500

const isBusy = ({ status }: Pick<Collection, 'status'>) => status === 'processing'

/** Failed files wait for a person, not for the server. */
const isMoving = (collection: CollectionDetail | undefined): boolean =>
  collection !== undefined &&
  (isBusy(collection) || (collection.waiting ?? []).some(({ data }) => data.status === 'pending'))

/** Followed while its files are processed or indexed again. */
export const useCollection = (id: string) =>
  useQuery({
    queryKey: collectionKey(id),
    queryFn: () => call(knowledgeEndpoints.getCollection, { params: { id } }),
    refetchInterval: ({ state }) => (isMoving(state.data) ? busyRefreshMs : false),
  })

/** Followed while it runs; the collection's files with it. */
export function useLatestCrawl(id: string) {
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: [...collectionKey(id), 'crawl'],
    queryFn: async () => {
      const [latest = null] = (await call(knowledgeEndpoints.listCrawls, { params: { id } })).items
      const before = queryClient.getQueryData<Crawl | null>([...collectionKey(id), 'crawl'])
      if (latest && before && latest.pages.added !== before.pages.added)
        void queryClient.invalidateQueries({ queryKey: collectionKey(id), exact: true })
      return latest
    },
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? busyRefreshMs : false),
  })
}

export async function refreshCollection(queryClient: QueryClient, id: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: collectionKey(id) })
  await queryClient.invalidateQueries({ queryKey: collectionsKey })
  await queryClient.invalidateQueries({ queryKey: filesKey })
  await queryClient.invalidateQueries({ queryKey: activityKey })
}

/** Without an ID, a new one is created. */
export function useSaveCollection(id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<CollectionDetail> => {
    const saved =
      id === undefined
        ? await call(knowledgeEndpoints.createCollection, { body: unchecked(body) })
        : await call(knowledgeEndpoints.updateCollection, { params: { id }, body: unchecked(body) })
    queryClient.setQueryData(collectionKey(saved.id), saved)
    await queryClient.invalidateQueries({ queryKey: collectionsKey })
    return saved
  }
}

/** An action on one collection, after which it is read again. */
function useAction<Input>(id: string, act: (input: Input) => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: act,
    onError: toast.failed,
    // Not awaited: a dialog closes when the action is done, not when every list is fresh.
    onSettled: () => void refreshCollection(queryClient, id),
  })
}

export const useReindex = (id: string) =>
  useAction(id, (_: undefined) => call(knowledgeEndpoints.reindexCollection, { params: { id } }))
export const useReset = (id: string) =>
  useAction(id, (_: undefined) => call(knowledgeEndpoints.resetCollection, { params: { id } }))
export const useRemoveFile = (id: string) =>
  useAction(id, (fileId: string) =>
    call(knowledgeEndpoints.removeFromCollection, { params: { id }, body: { file_id: fileId } }),
  )
export const useAddPage = (id: string) =>
  useAction(id, (url: string) =>
    call(knowledgeEndpoints.processPage, { query: { overwrite: 'false' }, body: { url, collection_name: id } }),
  )
export const useStartCrawl = (id: string) =>
  useAction(id, (body: CrawlBody) => call(knowledgeEndpoints.startCrawl, { params: { id }, body }))
export const useCancelCrawl = (id: string) =>
  useAction(id, (_: undefined) => call(knowledgeEndpoints.cancelCrawl, { params: { id } }))
export const useRetryFile = (id: string) =>
  useAction(id, (fileId: string) => call(filesEndpoints.processFile, { params: { id: fileId } }))

export function useDeleteCollection(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => call(knowledgeEndpoints.deleteCollection, { params: { id } }),
    onSuccess: async (_, { id, name }) => {
      toast.done(`“${name}” deleted`)
      onDone()
      queryClient.removeQueries({ queryKey: collectionKey(id), type: 'inactive' })
      await queryClient.invalidateQueries({ queryKey: collectionsKey })
    },
    onError: toast.failed,
  })
}

/** How search works on this instance. */
export const useRetrievalFacts = () =>
  useQuery({
    queryKey: ['retrieval-facts'],
    queryFn: () => call(knowledgeEndpoints.getRetrieval),
    staleTime: 60_000,
  })

export const useAsk = (collectionId: string) =>
  useMutation({
    mutationFn: ({ query, filter }: { query: string; filter: FileFilter | undefined }) =>
      call(knowledgeEndpoints.queryCollections, {
        body: { collection_names: [collectionId], query, k: 8, explain: true, ...(filter && { filter }) },
      }),
  })

export const useFiles = (query: ListQuery & { status?: string | undefined }) =>
  useQuery({
    queryKey: [...filesKey, query],
    queryFn: () => call(filesEndpoints.listFiles, { query: { ...query, limit: filesLimit } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ data }) => data.status === 'pending') ? busyRefreshMs : false,
  })

/** What can be done with a file. */
export const fileCalls = {
  remove: (id: string) => call(filesEndpoints.deleteFile, { params: { id } }),
  process: (id: string) => call(filesEndpoints.processFile, { params: { id } }),
}

/** Collections show how many files they hold, and the organization how much is stored. */
export function useRefreshFiles() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [filesKey, collectionsKey, organizationQuery.queryKey].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
}

export const useFile = (id: string) =>
  useQuery({ queryKey: ['file', id], queryFn: () => call(filesEndpoints.getFile, { params: { id } }) })
export const useFileText = (id: string) =>
  useQuery({ queryKey: ['file', id, 'text'], queryFn: () => call(filesEndpoints.readFileText, { params: { id } }) })
export const useChunks = (id: string, page: number) =>
  useQuery({
    queryKey: ['file', id, 'chunks', page],
    queryFn: () => call(knowledgeEndpoints.listChunks, { params: { id }, query: { page, limit: chunksLimit } }),
    placeholderData: keepPreviousData,
  })

export const downloadUrl = (id: string) =>
  addressOf(filesEndpoints.readFile, { params: { id }, query: { attachment: 'true' } })
