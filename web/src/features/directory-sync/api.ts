/** Passes over the identity provider's directory. */
import { SyncReport, SyncReportList } from '@chancery/contract/sso.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/api.ts'
import { toast } from '#ui/toast.tsx'

const key = ['directory-sync']
const path = '/api/org/sso/sync'
const lookAgainMs = 2000

/** While a pass runs its report is asked for again and again; then it rests. */
export const useReports = () =>
  useQuery({
    queryKey: key,
    queryFn: async () => {
      const { reports } = await api.get(path, SyncReportList)
      return { items: reports, total: reports.length }
    },
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ outcome }) => outcome === 'running') ? lookAgainMs : false,
  })

export function useStartSync() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (dryRun: boolean) => api.post(path, { dryRun }, SyncReport),
    onSuccess: (_, isDry) => toast.done(isDry ? 'The dry run has begun.' : 'The sync has begun.'),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  })
}
