/** Reading workflows: a single one, or a page of the list. */
import * as endpoints from '@chancery/contract/endpoints/workflows.ts'
import type { WorkflowStatus } from '@chancery/contract/workflows/workflows.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { allPages } from '#lib/http/all-pages.ts'
import { call } from '#lib/http/call.ts'

export interface WorkflowListFilter {
  search?: string | undefined
  status?: WorkflowStatus | undefined
  page?: number | undefined
  limit?: number | undefined
  sort?: string | undefined
}

/** Lists have their own key below `all`, so an ID can never collide with one. */
export const workflowKeys = {
  all: ['workflows'] as const,
  lists: ['workflows', 'list'] as const,
  list: (query: WorkflowListFilter) => ['workflows', 'list', query] as const,
  one: (id: string) => ['workflows', id] as const,
}

export const workflowQuery = (id: string) => ({
  queryKey: workflowKeys.one(id),
  queryFn: () => call(endpoints.getWorkflow, { params: { id } }),
})

export const useWorkflow = (id: string) => useQuery(workflowQuery(id))

/** All of them, for choosing one. */
export const useAllWorkflows = () =>
  useQuery({
    queryKey: [...workflowKeys.lists, 'all'],
    queryFn: () => allPages((page) => call(endpoints.listWorkflows, { query: { ...page } })),
  })

export const workflowListQuery = (query: WorkflowListFilter) => ({
  queryKey: workflowKeys.list(query),
  queryFn: () => call(endpoints.listWorkflows, { query: { ...query } }),
})

/** `refreshMs` is for screens that watch runs, which change without any action in this tab. */
export const useWorkflowList = (query: WorkflowListFilter, refreshMs?: number) =>
  useQuery({
    ...workflowListQuery(query),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs ?? false,
  })
