/** What the server works on for the viewer. Followed only while there is something to follow. */
import type { ImportProgress } from '@chancery/contract/chats.ts'
import { FileList } from '@chancery/contract/files.ts'
import { CollectionList, CrawlList } from '@chancery/contract/knowledge.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { activityKey } from '#lib/activity-key.ts'
import { api, type Shape } from '#lib/api.ts'
import { useUploads } from '#lib/uploads.ts'

const refreshMs = 2000
/** Loaded when it is needed: the chats' schemas are large, and this is part of every page. */
const importsShape: Shape<{ items: ImportProgress[] }> = async () =>
  (await import('@chancery/contract/chats.ts')).ImportList

async function load() {
  const [files, collections, crawls, imports] = await Promise.all([
    api.get('/api/v1/files/?status=pending&limit=20', FileList),
    api.get('/api/v1/knowledge/?status=processing&limit=20', CollectionList),
    api.get('/api/v1/retrieval/crawls', CrawlList),
    api.get('/api/v1/chats/imports', importsShape),
  ])
  return { files, collections, crawls: crawls.items, imports: imports.items }
}

const nothing = { files: { items: [], total: 0 }, collections: { items: [], total: 0 }, crawls: [], imports: [] }

const countOf = ({ files, collections, crawls, imports }: Awaited<ReturnType<typeof load>>) =>
  files.total + collections.total + crawls.length + imports.length

export function useActivity(isOn: boolean) {
  const all = useUploads()
  const uploads = all.filter(({ state }) => state !== 'sent')
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: activityKey,
    queryFn: load,
    enabled: isOn,
    refetchInterval: ({ state }) => (state.data && countOf(state.data) > 0 ? refreshMs : false),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each upload that ends is a file that the server works on
  useEffect(() => {
    if (isOn) void queryClient.invalidateQueries({ queryKey: activityKey })
  }, [queryClient, isOn, uploads.length, all.length])
  const work = data ?? nothing
  return { uploads, ...work, count: uploads.length + countOf(work) }
}
