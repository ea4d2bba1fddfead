/** Usage, allowance and limits. */
import { Allowance, UsageLimit, UsageLimitList, UsageReport } from '@chancery/contract/usage.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { allPages } from '#lib/http/all-pages.ts'
import { api } from '#lib/http/api.ts'
import { withQuery } from '#lib/http/with-query.ts'
import { toast } from '#ui/feedback/toast.ts'
import type { DayRange } from './day-range.ts'

const path = '/api/v1/usage'
const limits = `${path}/limits`
const limitsKey = ['usage', 'limits']

export type Scope = 'own' | 'organization' | 'platform'
export type Grouping = 'day' | 'model' | 'user' | 'key'

interface ReportQuery extends DayRange {
  scope: Scope
  by: Grouping
}

/** The URL to download the same rows as a file. */
export const csvAddress = ({ scope, by, from, to }: ReportQuery): string =>
  withQuery(path, { scope, by, from, to, format: 'csv' })

export const useReport = ({ scope, by, from, to }: ReportQuery) =>
  useQuery({
    queryKey: ['usage', 'report', scope, by, from, to],
    queryFn: () => api.get(withQuery(path, { scope, by, from, to }), UsageReport),
    placeholderData: keepPreviousData,
  })

export const useAllowance = () =>
  useQuery({ queryKey: ['usage', 'allowance'], queryFn: () => api.get(`${path}/allowance`, Allowance) })

export const useLimits = () =>
  useQuery({
    queryKey: limitsKey,
    queryFn: () => allPages((page) => api.get(withQuery(limits, { ...page }), UsageLimitList)),
  })

export function useSaveLimit(id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<UsageLimit> => {
    const saved =
      id === undefined
        ? await api.post(limits, body, UsageLimit)
        : await api.patch(`${limits}/${encodeURIComponent(id)}`, body, UsageLimit)
    await queryClient.invalidateQueries({ queryKey: ['usage'] })
    return saved
  }
}

export function useDeleteLimit(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: UsageLimit) => api.tell('DELETE', `${limits}/${encodeURIComponent(id)}`),
    onSuccess: () => toast.done('Limit removed'),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: ['usage'] })
    },
  })
}
