/** Collections, their files, and retrieval. The only file of the feature that knows URLs. */
import { FileList, FileRecord, FileText } from '@chancery/contract/files.ts'
import {
  ChunkList,
  Collection,
  CollectionDetail,
  CollectionList,
  Crawl,
  type CrawlBody,
  CrawlList,
  type FileFilter,
  QueryReply,
  RetrievalFacts,
  WebReply,
} from '@chancery/contract/knowledge.ts'
import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { withQuery } from '#lib/http/with-query.ts'
import { activityKey } from '#lib/queries/activity-key.ts'
import { toast } from '#ui/feedback/toast.ts'

export const collectionsPath = '/api/v1/knowledge'
export const filesPath = '/api/v1/files'
const retrievalPath = '/api/v1/retrieval'

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
    queryFn: () => api.get(withQuery(`${collectionsPath}/`, { ...query, limit: collectionsLimit }), CollectionList),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isBusy) ? busyRefreshMs : false),
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
    queryFn: () => api.get(`${collectionsPath}/${id}`, CollectionDetail),
    refetchInterval: ({ state }) => (isMoving(state.data) ? busyRefreshMs : false),
  })

/** Followed while it runs; the collection's files with it. */
export function useLatestCrawl(id: string) {
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: [...collectionKey(id), 'crawl'],
    queryFn: async () => {
      const [latest = null] = (await api.get(`${collectionsPath}/${id}/crawls`, CrawlList)).items
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
    const path = id === undefined ? `${collectionsPath}/create` : `${collectionsPath}/${id}/update`
    const saved = await api.post(path, body, CollectionDetail)
    queryClient.setQueryData(collectionKey(saved.id), saved)
    await queryClient.invalidateQueries({ queryKey: collectionsKey })
    return saved
  }
}

/** An action on one collection, after which it is read again. */
function useAction<Input>(id: string, act: (path: string, input: Input) => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => act(`${collectionsPath}/${id}`, input),
    onError: toast.failed,
    // Not awaited: a dialog closes when the action is done, not when every list is fresh.
    onSettled: () => void refreshCollection(queryClient, id),
  })
}

export const useReindex = (id: string) =>
  useAction(id, (path, _: undefined) => api.post(`${path}/reindex`, undefined, Collection))
export const useReset = (id: string) =>
  useAction(id, (path, _: undefined) => api.post(`${path}/reset`, undefined, CollectionDetail))
export const useRemoveFile = (id: string) =>
  useAction(id, (path, fileId: string) => api.post(`${path}/file/remove`, { file_id: fileId }, CollectionDetail))
export const useAddPage = (id: string) =>
  useAction(id, (_, url: string) =>
    api.post(`${retrievalPath}/process/web?overwrite=false`, { url, collection_name: id }, WebReply),
  )
export const useStartCrawl = (id: string) =>
  useAction(id, (path, body: CrawlBody) => api.post(`${path}/crawls`, body, Crawl))
export const useCancelCrawl = (id: string) =>
  useAction(id, (path, _: undefined) => api.post(`${path}/crawls/cancel`, undefined, Crawl))
export const useRetryFile = (id: string) =>
  useAction(id, (_, fileId: string) => api.post(`${filesPath}/${fileId}/process`, undefined, FileRecord))

export function useDeleteCollection(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => api.tell('DELETE', `${collectionsPath}/${id}/delete`),
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
    queryFn: () => api.get(`${retrievalPath}/`, RetrievalFacts),
    staleTime: 60_000,
  })

export const useAsk = (collectionId: string) =>
  useMutation({
    mutationFn: ({ query, filter }: { query: string; filter: FileFilter | undefined }) =>
      api.post(
        `${retrievalPath}/query/collection`,
        { collection_names: [collectionId], query, k: 8, explain: true, ...(filter && { filter }) },
        QueryReply,
      ),
  })

export const useFiles = (query: ListQuery & { status?: string | undefined }) =>
  useQuery({
    queryKey: [...filesKey, query],
    queryFn: () => api.get(withQuery(`${filesPath}/`, { ...query, limit: filesLimit }), FileList),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ data }) => data.status === 'pending') ? busyRefreshMs : false,
  })

/** What can be done with a file. */
export const fileCalls = {
  remove: (id: string) => api.tell('DELETE', `${filesPath}/${id}`),
  process: (id: string) => api.post(`${filesPath}/${id}/process`, undefined, FileRecord),
}

/** Collections show how many files they hold, and the organization how much is stored. */
export function useRefreshFiles() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [filesKey, collectionsKey, ['organization']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    )
}

export const useFile = (id: string) =>
  useQuery({ queryKey: ['file', id], queryFn: () => api.get(`${filesPath}/${id}`, FileRecord) })
export const useFileText = (id: string) =>
  useQuery({ queryKey: ['file', id, 'text'], queryFn: () => api.get(`${filesPath}/${id}/data/content`, FileText) })
export const useChunks = (id: string, page: number) =>
  useQuery({
    queryKey: ['file', id, 'chunks', page],
    queryFn: () => api.get(withQuery(`${retrievalPath}/files/${id}/chunks`, { page, limit: chunksLimit }), ChunkList),
    placeholderData: keepPreviousData,
  })

export const downloadUrl = (id: string) => `${filesPath}/${id}/content?attachment=true`
