/** Query keys of chats, shared by the list, the chat screen and the palette. */
export const chatKeys = {
  all: ['chats'] as const,
  /** All lists of chats, with any filter. Stale as soon as a chat is added, removed or moved. */
  lists: ['chats', 'list'] as const,
  list: (filter: ChatFilter) => ['chats', 'list', filter] as const,
  /** Apart from the lists: items don't say whether they are shared, so this one is always refetched. */
  shares: ['chats', 'shares'] as const,
  search: (text: string) => ['chats', 'search', text] as const,
  folders: ['chats', 'folders'] as const,
  tags: ['chats', 'tags'] as const,
  one: (id: string) => ['chats', 'one', id] as const,
  /** Not under `all`: an import ends with a refetch of everything else. */
  import: (importId: string) => ['chat-import', importId] as const,
  shared: (shareId: string) => ['chats', 'shared', shareId] as const,
  shareOf: (chatId: string) => ['chats', 'share-of', chatId] as const,
  /** Not under `all`: it is read without an account. */
  publicChat: (token: string) => ['public-chat', token] as const,
}

export interface ChatFilter {
  pinned?: boolean
  archived?: boolean
  folder_id?: string
  tag?: string
}
