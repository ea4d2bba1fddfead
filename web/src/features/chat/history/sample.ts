/** Conversations for the tests of this folder: `{ id: [role, parentId] }`, in the order in which they were said. */
import type { Message } from '@chancery/contract/chats.ts'
import type { History } from './tree.ts'

export const message = (id: string, fields: Partial<Message> = {}): Message => ({
  id,
  role: 'user',
  content: id,
  parentId: null,
  childrenIds: [],
  timestamp: 0,
  ...fields,
})

export function historyOf(
  said: Record<string, [role: string, parentId: string | null, column?: number]>,
  currentId: string | null,
): History {
  const messages: Record<string, Message> = {}
  for (const [place, [id, [role, parentId, modelIdx]]] of Object.entries(said).entries()) {
    messages[id] = message(id, { role, parentId, timestamp: place, ...(modelIdx !== undefined && { modelIdx }) })
    if (parentId !== null) messages[parentId]?.childrenIds.push(id)
  }
  return { currentId, messages }
}
