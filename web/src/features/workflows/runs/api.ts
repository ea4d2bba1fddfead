/** Reading, cancelling and retrying runs. */
import { Graph } from '@chancery/contract/workflow-graph.ts'
import {
  AllRunsList,
  type ReplayBody,
  ReplayReply,
  Run,
  RunItem,
  RunList,
  type RunStep,
} from '@chancery/contract/workflow-runs.ts'
import { ModelCallList } from '@chancery/contract/workflow-traces.ts'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api, withQuery } from '#lib/api.ts'
import { toast } from '#ui/toast.tsx'
import { workflowPath } from '../api.ts'
import { isOver } from './live-run.ts'
import { queryOf, type RunFilter } from './run-filter.ts'

const path = '/api/v1/agent-runs'
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`
const onPage = 25

export const runKeys = {
  all: ['runs'] as const,
  lists: ['runs', 'list'] as const,
  one: (id: string) => ['runs', id] as const,
}

/** Refetched often while something is running; new runs also start on their own. */
const refreshOf = (runs: readonly RunItem[]) => (runs.every(isOver) ? 10_000 : 2000)

export const useRuns = (workflowId: string, filter: RunFilter) =>
  useInfiniteQuery({
    queryKey: [...runKeys.lists, workflowId, queryOf(filter)],
    queryFn: ({ pageParam: cursor }) =>
      api.get(withQuery(`${workflowPath(workflowId)}/runs`, { ...queryOf(filter), cursor, limit: onPage }), RunList),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    // Someone who scrolled far back is looking for old runs, so the list isn't refreshed.
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > 2 ? false : refreshOf(state.data?.pages.flatMap(({ data }) => data) ?? []),
  })

/** The latest runs of a workflow, tests included. */
export const useRecentRuns = (workflowId: string) =>
  useQuery({
    queryKey: [...runKeys.lists, workflowId, 'recent'],
    queryFn: () => api.get(withQuery(`${workflowPath(workflowId)}/runs`, { limit: 20 }), RunList),
  })

export const runQuery = (id: string) => ({
  queryKey: runKeys.one(id),
  queryFn: () => api.get(pathOf(id), Run),
})

export const openRunStream = (id: string, signal: AbortSignal) => api.open(`${pathOf(id)}/stream`, signal)

/** The graph the run was started with; it never changes. */
export const useRunGraph = (runId: string, isOn: boolean) =>
  useQuery({
    queryKey: [...runKeys.one(runId), 'graph'],
    queryFn: () => api.get(`${pathOf(runId)}/graph`, Graph),
    enabled: isOn,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Refetched while the step runs, and once when it has ended. */
export const useModelCalls = (runId: string, { id, status }: Pick<RunStep, 'id' | 'status'>) =>
  useQuery({
    queryKey: [...runKeys.one(runId), 'model-calls', id, status],
    queryFn: () => api.get(`${pathOf(runId)}/steps/${encodeURIComponent(id)}/model-calls`, ModelCallList),
    placeholderData: (before) => before,
    refetchInterval: status === 'running' ? 2000 : false,
  })

/** Runs that this run started, or retries of it. */
export const useRelatedRuns = (of: { parent_run_id: string } | { retry_of: string }, isOn: boolean, isLive: boolean) =>
  useQuery({
    queryKey: [...runKeys.lists, of],
    queryFn: () => api.get(withQuery(path, { ...of, limit: 100 }), AllRunsList),
    enabled: isOn,
    refetchInterval: isLive ? 3000 : false,
  })

export function useCancelRun() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.post(`${pathOf(id)}/cancel`, undefined, Run),
    onSuccess: (run) => {
      queryClient.setQueryData(runKeys.one(run.id), run)
      toast.done('Run cancelled')
    },
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: runKeys.all }),
  })
}

/** From its beginning, on the live version. */
export function useReplayRun(onBegun: (run: RunItem) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.post(`${pathOf(id)}/replay`, undefined, RunItem),
    onSuccess: (run) => {
      toast.done('Run started again')
      onBegun(run)
    },
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: runKeys.all }),
  })
}

/** Runs of these statuses and times, each again; with `preview` only how many there are. */
export function useReplayRuns(workflowId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Pick<z.input<typeof ReplayBody>, 'status' | 'from' | 'to' | 'preview'>) =>
      api.post(`${workflowPath(workflowId)}/replay`, body, ReplayReply),
    onError: toast.failed,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: runKeys.lists }),
  })
}

export function useRetryRun(onBegun: (run: RunItem) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.post(`${pathOf(id)}/retry`, undefined, RunItem),
    onSuccess: (run) => {
      toast.done('Retry started')
      onBegun(run)
    },
    onError: toast.failed,
    // Refetches the run too: after a rejected retry, the user sees the retry that already exists.
    onSettled: () => queryClient.invalidateQueries({ queryKey: runKeys.all }),
  })
}
