/** What the server works on for the viewer. Followed only while there is something to follow. */

import type { ImportProgress } from '@chancery/contract/chats/chats.ts'
import * as filesEndpoints from '@chancery/contract/endpoints/files.ts'
import * as knowledgeEndpoints from '@chancery/contract/endpoints/knowledge.ts'
import type { FileList } from '@chancery/contract/files/files.ts'
import type { CollectionList, CrawlList } from '@chancery/contract/files/knowledge.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { z } from 'zod'
import { activityKey } from '#data/activity-key.ts'
import { useUploads } from '#data/uploads.ts'
import { call } from '#lib/http/call.ts'
import { useTabWork } from '#lib/tab/tab-work.ts'

const refreshMs = 2000
/** Loaded when it is needed: the chats' schemas are large, and this is part of every page. */
const listImports = async () => (await import('@chancery/contract/endpoints/chats.ts')).listImports

interface Work {
  files: z.infer<typeof FileList>
  collections: z.infer<typeof CollectionList>
  crawls: z.infer<typeof CrawlList>['items']
  imports: ImportProgress[]
}
type Requests = { [Part in keyof Work]: Promise<Work[Part]> }

const nothing: Work = { files: { items: [], total: 0 }, collections: { items: [], total: 0 }, crawls: [], imports: [] }

/** A part whose request fails stays as it was. Fails only if every request does. */
export async function loadParts(requests: Requests, before: Work = nothing): Promise<Work> {
  const results = await Promise.allSettled(Object.values(requests))
  const [first] = results
  if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected')) throw first.reason
  const orBefore = <Part extends keyof Work>(part: Part) => requests[part].catch(() => before[part])
  const [files, collections, crawls, imports] = await Promise.all([
    orBefore('files'),
    orBefore('collections'),
    orBefore('crawls'),
    orBefore('imports'),
  ])
  return { files, collections, crawls, imports }
}

const request = (): Requests => ({
  files: call(filesEndpoints.listFiles, { query: { status: 'pending', limit: '20' } }),
  collections: call(knowledgeEndpoints.listCollections, { query: { status: 'processing', limit: '20' } }),
  crawls: call(knowledgeEndpoints.listOwnCrawls).then(({ items }) => items),
  imports: call(listImports).then(({ items }) => items),
})

const countOf = ({ files, collections, crawls, imports }: Work) =>
  files.total + collections.total + crawls.length + imports.length

export function useActivity(isOn: boolean) {
  const all = useUploads()
  const uploads = all.filter(({ state }) => state !== 'sent')
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: activityKey,
    queryFn: () => loadParts(request(), queryClient.getQueryData<Work>(activityKey)),
    enabled: isOn,
    refetchInterval: ({ state }) => (state.data && countOf(state.data) > 0 ? refreshMs : false),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each upload that ends is a file that the server works on
  useEffect(() => {
    if (isOn) void queryClient.invalidateQueries({ queryKey: activityKey })
  }, [queryClient, isOn, uploads.length, all.length])
  const works = useTabWork()
  const known = data ?? nothing
  // An import of this tab says more itself.
  const imports = known.imports.filter(({ import_id: id }) => !works.some((work) => work.id === id))
  const work = { ...known, imports }
  return { uploads, works, ...work, count: uploads.length + works.length + countOf(work) }
}
