/** How a workflow does. */
import * as endpoints from '@chancery/contract/endpoints/runs.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

const refreshMs = 60_000

export const useStats = (workflowId: string, days: number | undefined) =>
  useQuery({
    queryKey: ['workflow-stats', workflowId, days],
    queryFn: () => call(endpoints.getStats, { params: { id: workflowId }, query: { days } }),
    refetchInterval: refreshMs,
  })
