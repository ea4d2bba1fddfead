/** Refetches the lists: once for requests at about the same time, and never during an action. */
import type { QueryClient } from '@tanstack/react-query'
import { chatKeys } from '#data/chat-keys.ts'

/** The mutation key of actions on a chat, which are shown before the server confirms them. */
export const actionKey = ['chat action'] as const

const gatherMs = 250
let timer: ReturnType<typeof setTimeout> | undefined

export function refetchLists(queryClient: QueryClient) {
  clearTimeout(timer)
  timer = setTimeout(() => {
    // A reply from before the action would undo its optimistic update, and discard text typed in its row.
    if (queryClient.isMutating({ mutationKey: actionKey }) > 0) refetchLists(queryClient)
    else void queryClient.invalidateQueries({ queryKey: chatKeys.lists })
  }, gatherMs)
}
