/** A search under way: what was found, and which of it is chosen. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useResting } from '#lib/use-resting.ts'
import { searchQuery } from './api.ts'
import { useHidden } from './second-thoughts.ts'

export function useSearch() {
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const wanted = text.trim()
  const asked = useResting(wanted)
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
    /** What is shown answers an earlier question. */
    isBehind: wanted !== asked || query.isPlaceholderData,
    query,
    items,
    chosen: items[Math.min(index, items.length - 1)],
    step: (by: 1 | -1) => setIndex((Math.min(index, items.length - 1) + by + items.length) % Math.max(1, items.length)),
  }
}

export type ChatSearch = ReturnType<typeof useSearch>
