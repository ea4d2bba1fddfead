/** Directory sync runs of the identity provider. */
import { SyncReport, SyncReportList } from '@chancery/contract/sso.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { toast } from '#ui/feedback/toast.ts'

const key = ['directory-sync']
const path = '/api/org/sso/sync'
const lookAgainMs = 2000

/** Refetched while a sync is running. */
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
    onSuccess: (_, isDry) => toast.done(isDry ? 'Dry run started' : 'Sync started'),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  })
}
