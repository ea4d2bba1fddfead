/** Approvals that runs are waiting for. */
import * as endpoints from '@chancery/contract/endpoints/runs.ts'
import type { Approval, ApprovalRetentionBody } from '@chancery/contract/workflows/runs.ts'
import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

const allKey = ['approvals']
/** Refetched often: other people answer, and runs create new approvals. */
const refreshMs = 15_000
export const approvalsOnPage = 20

export type ApprovalState = 'open' | 'answered'

export const useApprovals = (state: ApprovalState, page: number) =>
  useQuery({
    queryKey: [...allKey, state, page],
    queryFn: () => call(endpoints.listApprovals, { query: { state, page, limit: approvalsOnPage } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
const retentionKey = [...allKey, 'retention']

export const useApprovalRetention = () =>
  useQuery({ queryKey: retentionKey, queryFn: () => call(endpoints.getApprovalRetention) })

export function useSaveRetention() {
  const queryClient = useQueryClient()
  return async (body: z.input<typeof ApprovalRetentionBody>) =>
    queryClient.setQueryData(retentionKey, await call(endpoints.setApprovalRetention, { body }))
}

/** How many approvals are waiting for the viewer; undefined until loaded. */
export const useOpenApprovalCount = (): number | undefined =>
  useQuery({
    queryKey: [...allKey, 'count'],
    queryFn: () => call(endpoints.listApprovals, { query: { state: 'open', limit: 1 } }),
    refetchInterval: refreshMs * 2,
  }).data?.total

/** The approval behind this step, if the viewer may answer it. */
export const useRunApprovals = (runId: string, stepId: string) =>
  useQuery({
    queryKey: [...allKey, 'run', runId, stepId],
    queryFn: () => call(endpoints.listApprovals, { query: { state: 'open', run_id: runId } }),
  })

export interface Answer {
  approval: Approval
  approved: boolean
  comment: string
}

export const answerWord = (approved: boolean): string => (approved ? 'Approved' : 'Rejected')

/** Kept alive, so that an answer is also sent while the page unloads. */
export const sendAnswer = ({ approval: { run_id, step_id }, approved, comment }: Answer): Promise<Approval> =>
  call(endpoints.decideApproval, {
    params: { runId: run_id, stepId: step_id },
    body: { approved, comment },
    keepalive: true,
  })

export const refreshAnswered = (queryClient: QueryClient, runId: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: allKey }),
    queryClient.invalidateQueries({ queryKey: ['runs', runId] }),
  ])

export function useAnswer() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: sendAnswer,
    onSuccess: (_, { approval: { title }, approved }) => toast.done(`${answerWord(approved)}: ${title}`),
    onError: toast.failed,
    onSettled: (_reply, _error, { approval }) => refreshAnswered(queryClient, approval.run_id),
  })
}
