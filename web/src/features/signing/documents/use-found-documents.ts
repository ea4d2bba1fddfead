/** Searches documents by title and recipient, for use outside the list. */
import * as endpoints from '@chancery/contract/endpoints/signing.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { type DocumentHead, foundKey } from './api.ts'

const few = 6

export function useFoundDocuments(text: string, isOn: boolean): DocumentHead[] {
  const wanted = text.trim()
  const search = useDebounced(wanted)
  const { data } = useQuery({
    queryKey: foundKey(search),
    queryFn: () => call(endpoints.listDocuments, { query: { search, limit: few } }),
    placeholderData: keepPreviousData,
    enabled: isOn && search !== '',
  })
  return wanted === '' || !isOn ? [] : (data?.data ?? [])
}
