/** Searches documents by title and recipient, for use outside the list. */
import { DocumentList } from '@chancery/contract/signing-documents.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { withQuery } from '#lib/http/with-query.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { type DocumentHead, documentsPath, foundKey } from './api.ts'

const few = 6

export function useFoundDocuments(text: string, isOn: boolean): DocumentHead[] {
  const wanted = text.trim()
  const search = useDebounced(wanted)
  const { data } = useQuery({
    queryKey: foundKey(search),
    queryFn: () => api.get(withQuery(documentsPath, { search, limit: few }), DocumentList),
    placeholderData: keepPreviousData,
    enabled: isOn && search !== '',
  })
  return wanted === '' || !isOn ? [] : (data?.data ?? [])
}
