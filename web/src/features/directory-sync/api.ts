/** Directory sync runs of the identity provider. */
import * as endpoints from '@chancery/contract/endpoints/logins.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

const key = ['directory-sync']
const lookAgainMs = 2000

/** Refetched while a sync is running. */
export const useReports = () =>
  useQuery({
    queryKey: key,
    queryFn: async () => {
      const { reports, checkedAt } = await call(endpoints.getDirectorySync)
      return { items: reports, total: reports.length, checkedAt }
    },
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ outcome }) => outcome === 'running') ? lookAgainMs : false,
  })

export function useStartSync() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (dryRun: boolean) => call(endpoints.syncDirectory, { body: { dryRun } }),
    onSuccess: (_, isDry) => toast.done(isDry ? 'Dry run started' : 'Sync started'),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
  })
}
