import type { ChatListItem } from '@chancery/contract/chats/chats.ts'
import { createContext, use } from 'react'
import type { ChatActions } from './use-chat-actions.ts'

export type ChatDialog = { kind: 'share' | 'tags'; chat: ChatListItem } | { kind: 'transfer' }

export interface SidebarValue {
  activeId: string | undefined
  hrefOf: (chatId: string) => string
  newHref: string
  /** Called before a chat is opened, so a sheet can close. */
  onGo: () => void
  show: (dialog: ChatDialog) => void
  actions: ChatActions
}

const SidebarContext = createContext<SidebarValue | undefined>(undefined)
export const SidebarProvider = SidebarContext.Provider

export function useSidebar(): SidebarValue {
  const value = use(SidebarContext)
  if (value === undefined) throw new Error('this component must be rendered inside a ChatSidebar')
  return value
}
