/**
 * Names under which chats lie in the query cache. The list, the chat screen and the palette are three features that show
 * the same chats, so they agree on the names here.
 */
export const chatKeys = {
  all: ['chats'] as const,
  /** Every list of chats, whatever it is narrowed to. Stale as soon as a chat comes, goes or moves. */
  lists: ['chats', 'list'] as const,
  list: (filter: ChatFilter) => ['chats', 'list', filter] as const,
  search: (text: string) => ['chats', 'search', text] as const,
  folders: ['chats', 'folders'] as const,
  tags: ['chats', 'tags'] as const,
  one: (id: string) => ['chats', 'one', id] as const,
  shared: (shareId: string) => ['chats', 'shared', shareId] as const,
}

export interface ChatFilter {
  pinned?: boolean
  archived?: boolean
  folder_id?: string
  tag?: string
}
