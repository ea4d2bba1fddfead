/** Searches everybody on the platform by name and email, for use outside the list. */
import { UserRowList } from '@chancery/contract/platform.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { withQuery } from '#lib/http/with-query.ts'

const few = 6

export const useFoundUsers = (search: string, isOn: boolean) => {
  const isAsked = isOn && search !== ''
  const { data } = useQuery({
    queryKey: ['console', 'found', search],
    queryFn: () => api.get(withQuery('/api/admin/users', { search, limit: few }), UserRowList),
    placeholderData: keepPreviousData,
    enabled: isAsked,
  })
  return isAsked ? (data?.items ?? []) : []
}
