/** Searches collections by name, for use outside the list. */
import * as endpoints from '@chancery/contract/endpoints/knowledge.ts'
import type { Collection } from '@chancery/contract/files/knowledge.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { collectionsKey } from './api.ts'

const few = 6

export function useFoundCollections(text: string, isOn: boolean): Collection[] {
  const wanted = text.trim()
  const search = useDebounced(wanted)
  const { data } = useQuery({
    queryKey: [...collectionsKey, 'found', search],
    queryFn: () => call(endpoints.listCollections, { query: { search, limit: few } }),
    placeholderData: keepPreviousData,
    enabled: isOn && search !== '',
  })
  return wanted === '' || !isOn ? [] : (data?.items ?? [])
}
