/** Search text, page and order are in the URL, so links show the same list. A new search or order starts at page one. */
import { useCallback } from 'react'

interface ListSearch {
  page?: number
  search?: string
  sort?: string
}

type Navigate = (to: { search: (current: ListSearch) => ListSearch; replace?: boolean }) => Promise<void>

export function useListSearch(navigate: Navigate) {
  const onSearch = useCallback(
    (text: string) =>
      void navigate({
        search: ({ page: _, search: __, ...rest }) => (text === '' ? rest : { ...rest, search: text }),
        replace: true,
      }),
    [navigate],
  )
  const onPage = useCallback(
    (page: number) => void navigate({ search: (current) => ({ ...current, page }) }),
    [navigate],
  )
  const onSort = useCallback(
    (sort: string | undefined) =>
      void navigate({
        search: ({ sort: _, page: __, ...rest }) => (sort === undefined ? rest : { ...rest, sort }),
        replace: true,
      }),
    [navigate],
  )
  return { onSearch, onPage, onSort }
}
