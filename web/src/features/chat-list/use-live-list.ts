/** Keeps the lists true while chats change elsewhere: in the chat screen, in another tab, on the server. */
import { ChatChanged, type ChatEvent } from '@chancery/contract/chat-events.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { chatKeys } from '#lib/chat-keys.ts'
import { listen } from '#lib/socket.ts'
import { askAnew } from './ask-anew.ts'
import { dropCached, patchCached } from './cached-lists.ts'

/** The contract lets the title come bare or in an object. */
function titleOf(data: unknown): string | undefined {
  if (typeof data === 'string') return data
  if (typeof data !== 'object' || data === null || !('title' in data)) return undefined
  return typeof data.title === 'string' ? data.title : undefined
}

function hear(queryClient: QueryClient, { chat_id: id, data: { type, data } }: ChatEvent) {
  if (id === null) return
  if (type === 'chat:title') {
    const title = titleOf(data)
    if (title !== undefined && !patchCached(queryClient, id, { title })) askAnew(queryClient)
  }
  if (type === 'chat:tags') {
    askAnew(queryClient)
    void queryClient.invalidateQueries({ queryKey: chatKeys.tags })
  }
  if (type === 'chat:changed') hearChange(queryClient, id, data)
}

function hearChange(queryClient: QueryClient, id: string, data: unknown) {
  const change = ChatChanged.safeParse(data)
  if (!change.success) return
  const { deleted, title, updated_at, message_ids } = change.data
  if (deleted) return dropCached(queryClient, id)
  const isKnown = patchCached(queryClient, id, { updated_at, ...(title !== undefined && { title }) })
  // Pins, folders and the archive change no message, and are not told in so many words.
  if (!isKnown || message_ids.length === 0) askAnew(queryClient)
}

export function useLiveList() {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      listen({
        onEvent: (event) => hear(queryClient, event),
        // Whatever happened before the line stood was not heard, and the list may be older than that: also the first time.
        onOpen: () => askAnew(queryClient),
      }),
    [queryClient],
  )
}
