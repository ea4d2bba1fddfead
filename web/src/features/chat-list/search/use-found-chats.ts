/** Searches chats by title and text, for use outside the sidebar. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { searchQuery } from '../api.ts'

const few = 6

export function useFoundChats(text: string, isOn: boolean) {
  const wanted = text.trim()
  const asked = useDebounced(wanted)
  const { data } = useQuery({ ...searchQuery(isOn ? asked : ''), placeholderData: keepPreviousData })
  return wanted === '' || !isOn ? [] : (data?.items ?? []).slice(0, few)
}
