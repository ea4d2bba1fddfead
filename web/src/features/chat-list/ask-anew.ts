/** Asks for the lists again: once for all that comes at about the same time, and never in the middle of a action. */
import type { QueryClient } from '@tanstack/react-query'
import { chatKeys } from '#lib/chat-keys.ts'

/** Of what is done with a chat, and shown before the server has done it. */
export const actionKey = ['chat action'] as const

const gatherMs = 250
let timer: ReturnType<typeof setTimeout> | undefined

export function askAnew(queryClient: QueryClient) {
  clearTimeout(timer)
  timer = setTimeout(() => {
    // An answer from before the action would take back what the list shows of it, and whatever is typed in its row.
    if (queryClient.isMutating({ mutationKey: actionKey }) > 0) askAnew(queryClient)
    else void queryClient.invalidateQueries({ queryKey: chatKeys.lists })
  }, gatherMs)
}
