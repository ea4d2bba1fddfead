/** Changes to a conversation that lives in one tab only. Pure. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { findMessage, type History } from '../history/tree.ts'

export const emptyHistory: History = { currentId: null, messages: {} }

export function withFields(history: History, id: string, fields: Partial<Message>): History {
  const message = findMessage(history, id)
  if (!message) return history
  return { ...history, messages: { ...history.messages, [id]: { ...message, ...fields } as Message } }
}

/** The message goes; its children hang on its parent, as in a stored chat. */
export function withoutMessage(history: History, id: string): History {
  const { [id]: removed, ...others } = history.messages
  if (!removed) return history
  const { parentId, childrenIds } = removed
  const entries = Object.values(others).map((message): [string, Message] => {
    if (message.parentId === id) return [message.id, { ...message, parentId }]
    if (!message.childrenIds.includes(id)) return [message.id, message]
    return [
      message.id,
      { ...message, childrenIds: message.childrenIds.flatMap((one) => (one === id ? childrenIds : one)) },
    ]
  })
  const currentId = history.currentId === id ? (parentId ?? childrenIds[0] ?? null) : history.currentId
  return { currentId, messages: Object.fromEntries(entries) }
}
