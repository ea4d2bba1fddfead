/** Search text and page are in the URL, so links show the same list. A new search starts at page one. */
import { useCallback } from 'react'

interface ListSearch {
  page?: number
  search?: string
}

type Navigate = (to: { search: (current: ListSearch) => ListSearch; replace?: boolean }) => Promise<void>

export function useListSearch(navigate: Navigate) {
  const onSearch = useCallback(
    (text: string) => void navigate({ search: () => (text === '' ? {} : { search: text }), replace: true }),
    [navigate],
  )
  const onPage = useCallback(
    (page: number) => void navigate({ search: (current) => ({ ...current, page }) }),
    [navigate],
  )
  return { onSearch, onPage }
}
