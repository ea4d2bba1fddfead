/** Usage, allowance and limits. */
import * as endpoints from '@chancery/contract/endpoints/usage.ts'
import { type UsageLimit, UsageReport } from '@chancery/contract/models/usage.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { allPages } from '#lib/http/all-pages.ts'
import { call, unchecked } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'
import type { DayRange } from './day-range.ts'

const limitsKey = ['usage', 'limits']

export type Scope = 'own' | 'organization' | 'platform'
export type Grouping = 'day' | 'model' | 'user' | 'key'

interface ReportQuery extends DayRange {
  scope: Scope
  by: Grouping
}

/** The URL to download the same rows as a file. */
export const csvAddress = ({ scope, by, from, to }: ReportQuery): string =>
  addressOf(endpoints.getUsage, { query: { scope, by, from, to, format: 'csv' } })

export const useReport = ({ scope, by, from, to }: ReportQuery) =>
  useQuery({
    queryKey: ['usage', 'report', scope, by, from, to],
    queryFn: () => call({ ...endpoints.getUsage, reply: UsageReport }, { query: { scope, by, from, to } }),
    placeholderData: keepPreviousData,
  })

export const useAllowance = () =>
  useQuery({ queryKey: ['usage', 'allowance'], queryFn: () => call(endpoints.getAllowance) })

export const useLimits = () =>
  useQuery({
    queryKey: limitsKey,
    queryFn: () => allPages((page) => call(endpoints.listLimits, { query: { ...page } })),
  })

export function useSaveLimit(id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<UsageLimit> => {
    const saved =
      id === undefined
        ? await call(endpoints.createLimit, { body: unchecked(body) })
        : await call(endpoints.changeLimit, { params: { id }, body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey: ['usage'] })
    return saved
  }
}

export function useDeleteLimit(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: UsageLimit) => call(endpoints.deleteLimit, { params: { id } }),
    onSuccess: () => toast.done('Limit removed'),
    onError: toast.failed,
    onSettled: async () => {
      onDone()
      await queryClient.invalidateQueries({ queryKey: ['usage'] })
    },
  })
}
