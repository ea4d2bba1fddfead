/** Updates every cached list when one chat changes, so the sidebar reacts without waiting for a refetch. */
import type { ChatListItem } from '@chancery/contract/chats/chats.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { type ChatFilter, chatKeys } from '#data/chat-keys.ts'

export interface ChatPage {
  items: ChatListItem[]
  total: number
}
type Pages = InfiniteData<ChatPage, number>

export function belongsIn(filter: ChatFilter, chat: ChatListItem): boolean {
  if (chat.archived !== (filter.archived ?? false)) return false
  if (filter.pinned !== undefined && chat.pinned !== filter.pinned) return false
  if (filter.folder_id !== undefined && chat.folder_id !== filter.folder_id) return false
  return filter.tag === undefined || chat.tags.includes(filter.tag)
}

const isNewer = (a: ChatListItem, b: ChatListItem) => a.updated_at > b.updated_at

/** The pages with the chat at its position, or without it. Page sizes may be off by one until the next refetch. */
export function settle(data: Pages, filter: ChatFilter, chat: ChatListItem): Pages {
  const pages = data.pages.map((page) => {
    const items = page.items.filter(({ id }) => id !== chat.id)
    return items.length === page.items.length ? page : { ...page, items }
  })
  if (!belongsIn(filter, chat)) return { ...data, pages }
  const found = pages.findIndex(({ items }) => items.some((item) => !isNewer(item, chat)))
  const pageIndex = found === -1 ? pages.length - 1 : found
  const page = pages[pageIndex]
  if (page === undefined) return data
  const after = page.items.findIndex((item) => !isNewer(item, chat))
  const items = page.items.toSpliced(after === -1 ? page.items.length : after, 0, chat)
  return { ...data, pages: pages.with(pageIndex, { ...page, items }) }
}

const filterOf = (key: readonly unknown[]) => (key[2] ?? {}) as ChatFilter

const eachList = (queryClient: QueryClient) =>
  queryClient
    .getQueriesData<Pages>({ queryKey: chatKeys.lists })
    .flatMap(([key, data]) => (data ? [{ key, data }] : []))

export const findCached = (queryClient: QueryClient, id: string): ChatListItem | undefined =>
  eachList(queryClient)
    .flatMap(({ data }) => data.pages.flatMap(({ items }) => items))
    .find((item) => item.id === id)

/** False if no list knows the chat: then they must be refetched. */
export function patchCached(queryClient: QueryClient, id: string, patch: Partial<ChatListItem>): boolean {
  const known = findCached(queryClient, id)
  if (!known) return false
  placeCached(queryClient, { ...known, ...patch })
  return true
}

export function placeCached(queryClient: QueryClient, chat: ChatListItem) {
  for (const { key, data } of eachList(queryClient)) {
    queryClient.setQueryData<Pages>(key, settle(data, filterOf(key), chat))
  }
}

export function dropCached(queryClient: QueryClient, id: string) {
  for (const { key, data } of eachList(queryClient)) {
    const pages = data.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) }))
    queryClient.setQueryData<Pages>(key, { ...data, pages })
  }
}
