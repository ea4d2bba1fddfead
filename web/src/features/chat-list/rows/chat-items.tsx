/** A filtered list of chats with pagination, in its four states. */
import type { ChatListItem } from '@chancery/contract/chats/chats.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo } from 'react'
import type { ChatFilter } from '#data/chat-keys.ts'
import { listQuery } from '../api.ts'
import { useHidden } from '../state/delayed-delete.ts'
import { ListFailure, MoreSentinel, RowsSkeleton } from './list-states.tsx'

/** Pages shift when a chat moves between two requests, so the same chat may appear twice. */
const once = (items: readonly ChatListItem[]) => [...new Map(items.map((item) => [item.id, item])).values()]

export function useChatItems(filter: ChatFilter) {
  const query = useInfiniteQuery(listQuery(filter))
  const hidden = useHidden()
  const items = useMemo(
    () => once((query.data?.pages ?? []).flatMap((page) => page.items)).filter(({ id }) => !hidden.has(id)),
    [query.data, hidden],
  )
  return { query, items }
}

interface ChatItemsProps {
  list: ReturnType<typeof useChatItems>
  empty: ReactNode
  children: ReactNode
}

/** `children` are the rows. */
export function ChatItems({ list: { query, items }, empty, children }: ChatItemsProps) {
  const { fetchNextPage, isFetching, hasNextPage } = query
  const onMore = useCallback(() => {
    // Not while another request is running, which would be dropped or drop this one; the footer asks again afterwards.
    if (!isFetching) void fetchNextPage()
  }, [fetchNextPage, isFetching])
  if (query.isPending) return <RowsSkeleton />
  if (query.data === undefined) return <ListFailure error={query.error} onRetry={query.refetch} />
  return (
    <>
      {items.length === 0 && !hasNextPage ? empty : children}
      {hasNextPage &&
        (query.isFetchNextPageError ? (
          <ListFailure error={query.error} onRetry={fetchNextPage} />
        ) : (
          <MoreSentinel onMore={onMore} />
        ))}
    </>
  )
}
