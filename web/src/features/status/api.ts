/** How the instance did. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

export type Span = 'day' | 'month'

/** Servers write what they counted once a minute. */
const refreshMs = 60_000

export const useStatus = (span: Span) =>
  useQuery({
    queryKey: ['console', 'status', span],
    queryFn: () => call(endpoints.getStatus, { query: { span } }),
    refetchInterval: refreshMs,
  })
