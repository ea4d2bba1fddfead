/** Shared by the messages of a thread: the actions, and the model of the next reply. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { createContext, use } from 'react'
import type { ChosenModel } from '../history/turns.ts'
import type { Conversation } from '../use-conversation.ts'

export interface ThreadActions extends Omit<Conversation, 'saveTools' | 'saveOptions'> {
  models: readonly ChosenModel[]
  /** The message being edited. */
  editingId: string | undefined
  onEdit: (messageId: string | undefined) => void
  /** Asks before it deletes. */
  onDelete: (message: Message) => void
  /** Replies are running: no others can be requested. */
  isBusy: boolean
}

/** The URL of a file in a shared chat, whose readers can't open the author's files themselves. */
export const SharedFilesContext = createContext<((fileId: string) => string) | undefined>(undefined)

/** Undefined for a read-only conversation. */
export const ThreadContext = createContext<ThreadActions | undefined>(undefined)
export const useThread = (): ThreadActions | undefined => use(ThreadContext)
