/** Searches collections by name, for use outside the list. */
import { type Collection, CollectionList } from '@chancery/contract/knowledge.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { withQuery } from '#lib/http/with-query.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { collectionsKey, collectionsPath } from './api.ts'

const few = 6

export function useFoundCollections(text: string, isOn: boolean): Collection[] {
  const wanted = text.trim()
  const search = useDebounced(wanted)
  const { data } = useQuery({
    queryKey: [...collectionsKey, 'found', search],
    queryFn: () => api.get(withQuery(`${collectionsPath}/`, { search, limit: few }), CollectionList),
    placeholderData: keepPreviousData,
    enabled: isOn && search !== '',
  })
  return wanted === '' || !isOn ? [] : (data?.items ?? [])
}
