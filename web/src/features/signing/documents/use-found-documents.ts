/** Searches documents by title and recipient, for use outside the list. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { type DocumentHead, foundQuery } from './api.ts'

export function useFoundDocuments(text: string, isOn: boolean): DocumentHead[] {
  const wanted = text.trim()
  const search = useDebounced(wanted)
  const { data } = useQuery({
    ...foundQuery(search),
    placeholderData: keepPreviousData,
    enabled: isOn && search !== '',
  })
  return wanted === '' || !isOn ? [] : (data?.data ?? [])
}
