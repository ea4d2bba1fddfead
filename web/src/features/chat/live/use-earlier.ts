/** Loads the messages before the first that is here; undefined where there are none. */
import type { Chat } from '@chancery/contract/chats/chats.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { toast } from '#ui/feedback/toast.ts'
import { beginningOf } from '../history/window.ts'
import { loadEarlier } from './load-more.ts'

export function useEarlier({ id, chat: { history } }: Chat): (() => void) | undefined {
  const queryClient = useQueryClient()
  const beginning = useMemo(() => beginningOf(history), [history])
  return useMemo(
    () => (beginning === undefined ? undefined : () => void loadEarlier(queryClient, id).catch(toast.failed)),
    [beginning, queryClient, id],
  )
}
