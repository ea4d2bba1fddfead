/** What every row of the sidebar needs to know about where it stands. */
import type { ChatListItem } from '@chancery/contract/chats.ts'
import { createContext, use } from 'react'
import type { ChatActions } from './use-chat-actions.ts'

export type ChatDialog = { kind: 'share' | 'tags'; chat: ChatListItem } | { kind: 'transfer' }

export interface SidebarPlace {
  activeId: string | undefined
  hrefOf: (chatId: string) => string
  newHref: string
  /** Told before a chat is opened: a sheet closes then. */
  onGo: () => void
  show: (dialog: ChatDialog) => void
  actions: ChatActions
}

const SidebarContext = createContext<SidebarPlace | undefined>(undefined)
export const SidebarProvider = SidebarContext.Provider

export function useSidebar(): SidebarPlace {
  const place = use(SidebarContext)
  if (place === undefined) throw new Error('this part belongs in a ChatSidebar')
  return place
}
