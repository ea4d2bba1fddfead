/** Versions of a workflow: list, compare, snapshot and rollback. */
import * as endpoints from '@chancery/contract/endpoints/workflows.ts'
import type { VersionItem } from '@chancery/contract/workflows/workflows.ts'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'
import { workflowKeys } from '../api.ts'

/** How the URL and the server name the draft in a comparison. */
export const draftKey = 'draft'

const pageSize = 50

/** Newest first, in pages: a workflow may have thousands. */
export const useVersions = (id: string) =>
  useInfiniteQuery({
    queryKey: [...workflowKeys.one(id), 'versions'],
    queryFn: ({ pageParam }) =>
      call(endpoints.listVersions, { params: { id }, query: { limit: pageSize, before: pageParam } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ versions }) => (versions.length < pageSize ? undefined : versions.at(-1)?.version),
    select: ({ pages }) => pages.flatMap(({ versions }) => versions),
  })

/** The graph of one side. Versions never change; the draft does. */
export const useSideGraph = (id: string, key: string) =>
  useQuery({
    queryKey: [...workflowKeys.one(id), 'graph', key],
    queryFn: async () =>
      (key === draftKey
        ? await call(endpoints.getWorkflow, { params: { id } })
        : await call(endpoints.getVersion, { params: { id, version: key } })
      ).graph,
    staleTime: key === draftKey ? 0 : Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })

export const useDiff = (id: string, from: string, to: string) =>
  useQuery({
    queryKey: [...workflowKeys.one(id), 'diff', from, to],
    queryFn: () => call(endpoints.compareVersions, { params: { id, a: from, b: to } }),
    // Which version is live may change, so comparisons of two versions aren't cached forever either.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

/** A change to one workflow may affect its status, its lists and every comparison with its draft. */
export function useRefreshWorkflows() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: workflowKeys.all })
}

export function useTakeSnapshot(id: string) {
  const refresh = useRefreshWorkflows()
  return async (body: unknown): Promise<VersionItem> => {
    const taken = await call(endpoints.takeSnapshot, { params: { id }, body: unchecked(body) })
    await refresh()
    return taken
  }
}

export function useRollBack(id: string) {
  const refresh = useRefreshWorkflows()
  return async (body: unknown, { publishes }: { publishes: boolean }): Promise<VersionItem> => {
    const endpoint = publishes ? endpoints.rollBackAndPublish : endpoints.rollBack
    const { saved_version } = await call(endpoint, { params: { id }, body: unchecked(body) })
    await refresh()
    return saved_version
  }
}
