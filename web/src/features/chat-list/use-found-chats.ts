/** Chats whose title or text has the typed words, for places other than the sidebar. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useResting } from '#lib/use-resting.ts'
import { searchQuery } from './api.ts'

const few = 6

export function useFoundChats(text: string, isOn: boolean) {
  const wanted = text.trim()
  const asked = useResting(wanted)
  const { data } = useQuery({ ...searchQuery(isOn ? asked : ''), placeholderData: keepPreviousData })
  return wanted === '' || !isOn ? [] : (data?.items ?? []).slice(0, few)
}
