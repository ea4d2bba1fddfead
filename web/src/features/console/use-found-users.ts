/** Searches everybody on the platform by name and email, for use outside the list. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

const few = 6

export const useFoundUsers = (search: string, isOn: boolean) => {
  const isAsked = isOn && search !== ''
  const { data } = useQuery({
    queryKey: ['console', 'found', search],
    queryFn: () => call(endpoints.listUsers, { query: { search, limit: few } }),
    placeholderData: keepPreviousData,
    enabled: isAsked,
  })
  return isAsked ? (data?.items ?? []) : []
}
