/** The search results, and which one is selected. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { searchQuery } from '../api.ts'
import { useHidden } from '../state/delayed-delete.ts'

export function useSearch() {
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const wanted = text.trim()
  const asked = useDebounced(wanted)
  const hidden = useHidden()
  const query = useQuery({ ...searchQuery(asked), placeholderData: keepPreviousData })
  const items = (wanted === '' ? [] : (query.data?.items ?? [])).filter(({ id }) => !hidden.has(id))
  return {
    text,
    setText: (next: string) => {
      setText(next)
      setIndex(0)
    },
    isOn: wanted !== '',
    /** The results on screen belong to an earlier search text. */
    isBehind: wanted !== asked || query.isPlaceholderData,
    query,
    items,
    chosen: items[Math.min(index, items.length - 1)],
    step: (by: 1 | -1) => setIndex((Math.min(index, items.length - 1) + by + items.length) % Math.max(1, items.length)),
  }
}

export type ChatSearch = ReturnType<typeof useSearch>
