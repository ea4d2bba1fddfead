import type { ChatListItem } from '@chancery/contract/chats/chats.ts'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { chatKeys } from '#data/chat-keys.ts'
import { belongsIn, dropCached, findCached, patchCached, settle } from './cached-lists.ts'
import { onChatEvent } from './use-live-list.ts'

const chat = (id: string, updated_at: number, more: Partial<ChatListItem> = {}): ChatListItem => ({
  id,
  title: id,
  updated_at,
  created_at: 0,
  archived: false,
  pinned: false,
  folder_id: null,
  tags: [],
  ...more,
})
const paged = (...pages: ChatListItem[][]) => ({
  pages: pages.map((items) => ({ items, total: pages.flat().length })),
  pageParams: pages.map((_, index) => index + 1),
})
const ids = (data: ReturnType<typeof paged>) => data.pages.map(({ items }) => items.map(({ id }) => id).join(''))

describe('a changed chat', () => {
  const data = paged([chat('a', 9), chat('b', 7)], [chat('c', 5), chat('d', 3)])

  it('moves to the top when a message was added', () => {
    expect(ids(settle(data, {}, chat('d', 10)))).toEqual(['dab', 'c'])
  })

  it('moves to the page its time belongs to', () => {
    expect(ids(settle(data, {}, chat('e', 4)))).toEqual(['ab', 'ced'])
    expect(ids(settle(data, {}, chat('e', 1)))).toEqual(['ab', 'cde'])
  })

  it('leaves lists it no longer belongs to', () => {
    expect(ids(settle(data, { pinned: false }, chat('a', 9, { pinned: true })))).toEqual(['b', 'cd'])
  })

  it('appears only in the list of archived chats once archived', () => {
    const archived = chat('a', 1, { archived: true, tags: ['x'] })
    expect([{}, { tag: 'x' }, { archived: true }].map((filter) => belongsIn(filter, archived))).toEqual([
      false,
      false,
      true,
    ])
  })

  it('moves between all cached lists, and is removed from all', () => {
    const queryClient = new QueryClient()
    const itemsIn = (filter: object) =>
      queryClient.getQueryData<ReturnType<typeof paged>>(['chats', 'list', filter])?.pages.flatMap(({ items }) => items)
    queryClient.setQueryData(chatKeys.list({ pinned: true }), paged([]))
    queryClient.setQueryData(chatKeys.list({ pinned: false }), paged([chat('a', 1)]))
    expect(patchCached(queryClient, 'a', { pinned: true })).toBe(true)
    expect(itemsIn({ pinned: true })).toMatchObject([{ id: 'a' }])
    expect(itemsIn({ pinned: false })).toEqual([])
    dropCached(queryClient, 'a')
    expect(itemsIn({ pinned: true })).toEqual([])
    expect(patchCached(queryClient, 'a', { title: 'again' })).toBe(false)
  })
})

describe('a title that the server announces', () => {
  it('reaches the list and the chat, also while no screen shows it', () => {
    const queryClient = new QueryClient()
    queryClient.setQueryData(chatKeys.list({}), paged([chat('a', 1)]))
    queryClient.setQueryData(chatKeys.one('a'), { id: 'a', title: 'First words' })
    onChatEvent(queryClient, { chat_id: 'a', message_id: null, data: { type: 'chat:title', data: 'A better one' } })
    expect(findCached(queryClient, 'a')?.title).toBe('A better one')
    expect(queryClient.getQueryData(chatKeys.one('a'))).toEqual({ id: 'a', title: 'A better one' })
  })
})
