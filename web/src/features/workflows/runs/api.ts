/** Reading, cancelling and retrying runs. */

import { runsTopic } from '@chancery/contract/chats/events.ts'
import * as endpoints from '@chancery/contract/endpoints/runs.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import type { ReplayBody, RunItem, RunStep } from '@chancery/contract/workflows/runs.ts'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { api } from '#lib/http/api.ts'
import { call } from '#lib/http/call.ts'
import { watchTopic } from '#lib/http/socket.ts'
import { coalesced } from '#lib/time/coalesced.ts'
import { toast } from '#ui/feedback/toast.ts'
import { queryOf, type RunFilter } from './run-filter.ts'

const onPage = 25
/** However many runs change, the list is fetched and drawn no more often. */
const refreshPauseMs = 1000

export const runKeys = {
  all: ['runs'] as const,
  lists: ['runs', 'list'] as const,
  one: (id: string) => ['runs', id] as const,
}

/** Without a socket, for example behind a proxy that allows none, the list is polled. */
const pollMs = 10_000

/** Refetched when the socket announces a change, at most once a second. */
export function useRuns(workflowId: string, filter: RunFilter) {
  const isPushed = useRunsPushed(workflowId)
  return useInfiniteQuery({
    queryKey: [...runKeys.lists, workflowId, queryOf(filter)],
    queryFn: ({ pageParam: cursor }) =>
      call(endpoints.listWorkflowRuns, {
        params: { id: workflowId },
        query: { ...queryOf(filter), cursor, limit: onPage },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state }) => (isPushed || isFarBack(state.data) ? false : pollMs),
  })
}

/** What is cached under `runKeys.lists`: the recent runs have no pages. */
interface CachedRuns {
  pages?: readonly unknown[]
}

/** Someone who scrolled far back is looking for old runs, so the list isn't refreshed. */
const isFarBack = (data: CachedRuns | undefined): boolean => (data?.pages?.length ?? 0) > 2

function useRunsPushed(workflowId: string): boolean {
  const queryClient = useQueryClient()
  const [isPushed, setPushed] = useState(false)
  useEffect(() => {
    const refresh = coalesced(
      () =>
        queryClient.invalidateQueries({
          queryKey: [...runKeys.lists, workflowId],
          predicate: ({ state }) => !isFarBack(state.data as CachedRuns | undefined),
        }),
      refreshPauseMs,
    )
    const leave = watchTopic(runsTopic, workflowId, { onChange: refresh.call, onWatching: setPushed })
    return () => {
      leave()
      refresh.stop()
    }
  }, [queryClient, workflowId])
  return isPushed
}

/** The latest runs of a workflow, tests included. */
export const useRecentRuns = (workflowId: string) =>
  useQuery({
    queryKey: [...runKeys.lists, workflowId, 'recent'],
    queryFn: () => call(endpoints.listWorkflowRuns, { params: { id: workflowId }, query: { limit: 20 } }),
  })

export const runQuery = (id: string) => ({
  queryKey: runKeys.one(id),
  queryFn: () => call(endpoints.getRun, { params: { runId: id } }),
})

export const openRunStream = (id: string, signal: AbortSignal) =>
  api.open(addressOf(endpoints.followRun, { params: { runId: id } }), signal)

/** The graph the run was started with; it never changes. */
export const useRunGraph = (runId: string, isOn: boolean) =>
  useQuery({
    queryKey: [...runKeys.one(runId), 'graph'],
    queryFn: () => call(endpoints.getRunGraph, { params: { runId } }),
    enabled: isOn,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Refetched while the step runs, and once when it has ended. */
export const useModelCalls = (runId: string, { id, status }: Pick<RunStep, 'id' | 'status'>) =>
  useQuery({
    queryKey: [...runKeys.one(runId), 'model-calls', id, status],
    queryFn: () => call(endpoints.listModelCalls, { params: { runId, stepId: id } }),
    placeholderData: (before) => before,
    refetchInterval: status === 'running' ? 2000 : false,
  })

/** Runs that this run started, or retries of it. */
export const useRelatedRuns = (of: { parent_run_id: string } | { retry_of: string }, isOn: boolean, isLive: boolean) =>
  useQuery({
    queryKey: [...runKeys.lists, of],
    queryFn: () => call(endpoints.listRuns, { query: { ...of, limit: 100 } }),
    enabled: isOn,
    refetchInterval: isLive ? 3000 : false,
  })

export function useCancelRun() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(endpoints.cancelRun, { params: { runId: id } }),
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
    mutationFn: (id: string) => call(endpoints.replayRun, { params: { runId: id } }),
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
      call(endpoints.replayWorkflow, { params: { id: workflowId }, body }),
    onError: toast.failed,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: runKeys.lists }),
  })
}

export function useRetryRun(onBegun: (run: RunItem) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(endpoints.retryRun, { params: { runId: id } }),
    onSuccess: (run) => {
      toast.done('Retry started')
      onBegun(run)
    },
    onError: toast.failed,
    // Refetches the run too: after a rejected retry, the user sees the retry that already exists.
    onSettled: () => queryClient.invalidateQueries({ queryKey: runKeys.all }),
  })
}
