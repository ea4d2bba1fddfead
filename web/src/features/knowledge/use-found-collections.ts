/** Searches collections by name, for use outside the list. */
import type { Collection } from '@chancery/contract/files/knowledge.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { foundQuery } from './api.ts'

export function useFoundCollections(text: string, isOn: boolean): Collection[] {
  const wanted = text.trim()
  const search = useDebounced(wanted)
  const { data } = useQuery({
    ...foundQuery(search),
    placeholderData: keepPreviousData,
    enabled: isOn && search !== '',
  })
  return wanted === '' || !isOn ? [] : (data?.items ?? [])
}
