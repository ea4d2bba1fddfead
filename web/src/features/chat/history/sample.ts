/** Conversations for tests: `{ id: [role, parentId] }`, in order. */
import type { Message } from '@chancery/contract/chats/chats.ts'
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
  tree: Record<string, [role: string, parentId: string | null, column?: number]>,
  currentId: string | null,
): History {
  const messages: Record<string, Message> = {}
  for (const [index, [id, [role, parentId, modelIdx]]] of Object.entries(tree).entries()) {
    messages[id] = message(id, { role, parentId, timestamp: index, ...(modelIdx !== undefined && { modelIdx }) })
    if (parentId !== null) messages[parentId]?.childrenIds.push(id)
  }
  return { currentId, messages }
}
