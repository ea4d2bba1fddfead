/** Keeps the lists current when chats change elsewhere: in the chat screen, another tab, or on the server. */

import type { Chat } from '@chancery/contract/chats/chats.ts'
import { ChatChanged, type ChatEvent } from '@chancery/contract/chats/events.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { chatKeys } from '#data/chat-keys.ts'
import { listen } from '#lib/http/socket.ts'
import { dropCached, findCached, patchCached } from './cached-lists.ts'
import { refetchLists } from './refetch-lists.ts'

/** The contract allows the title as a string or in an object. */
function titleOf(data: unknown): string | undefined {
  if (typeof data === 'string') return data
  if (typeof data !== 'object' || data === null || !('title' in data)) return undefined
  return typeof data.title === 'string' ? data.title : undefined
}

export function onChatEvent(queryClient: QueryClient, { chat_id: id, data: { type, data } }: ChatEvent) {
  if (id === null) return
  if (type === 'chat:title') {
    const title = titleOf(data)
    if (title === undefined) return
    if (!patchCached(queryClient, id, { title })) refetchLists(queryClient)
    // A new chat is named before its screen is there to listen.
    queryClient.setQueryData<Chat>(chatKeys.one(id), (chat) => chat && { ...chat, title })
  }
  if (type === 'chat:tags') {
    refetchLists(queryClient)
    void queryClient.invalidateQueries({ queryKey: chatKeys.tags })
  }
  if (type === 'chat:changed') onChatChanged(queryClient, id, data)
}

function onChatChanged(queryClient: QueryClient, id: string, data: unknown) {
  const change = ChatChanged.safeParse(data)
  if (!change.success) return
  const { deleted, title, updated_at, message_ids } = change.data
  if (deleted) return dropCached(queryClient, id)
  const known = findCached(queryClient, id)
  // Changes of pins, folders and the archive affect no message and have no event of their own. Another title may be older
  // than the one in the list: two changes at about the same time can be announced in the wrong order.
  if (!known || message_ids.length === 0 || (title ?? known.title) !== known.title) refetchLists(queryClient)
  patchCached(queryClient, id, { updated_at, ...(title !== undefined && { title }) })
}

export function useLiveList() {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      listen({
        onEvent: (event) => onChatEvent(queryClient, event),
        // Events sent before the socket connects are lost, and the list may be older than that; so it is refetched on
        // the first connect too.
        onOpen: () => refetchLists(queryClient),
      }),
    [queryClient],
  )
}
