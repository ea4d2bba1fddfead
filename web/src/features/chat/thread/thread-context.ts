/** What the messages of a thread share: what can be done with them, and by whom the next reply would be. */
import { createContext, use } from 'react'
import type { ChosenModel } from '../history/turns.ts'
import type { Conversation } from '../use-conversation.ts'

export interface ThreadActions extends Conversation {
  models: readonly ChosenModel[]
  /** The message whose words are being changed. */
  editingId: string | undefined
  onEdit: (messageId: string | undefined) => void
  /** Replies are on their way: no others are asked for meanwhile. */
  isBusy: boolean
}

/** Undefined where a conversation is only read. */
export const ThreadContext = createContext<ThreadActions | undefined>(undefined)
export const useThread = (): ThreadActions | undefined => use(ThreadContext)
