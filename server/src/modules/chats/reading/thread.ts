/** Builds the tree of the wire format from rows. Pure. */
import type { Message, StoredChat } from '@chancery/contract/chats/chats.ts'
import type { MessageRow } from '../queries/messages.ts'
import type { ChatsTable } from '../tables.ts'

type Linked = Pick<MessageRow, 'id' | 'parentId'>

/** Children in the order of the rows. */
export const childrenOf = (rows: readonly Linked[]): Map<string, string[]> => {
  const children = new Map<string, string[]>()
  for (const { id, parentId } of rows) {
    if (parentId === null) continue
    const known = children.get(parentId)
    if (known) known.push(id)
    else children.set(parentId, [id])
  }
  return children
}

/** `done` is for replies; on other messages it is shown only where it was set. */
export const presentMessage = (row: MessageRow, childrenIds: string[]): Message => ({
  ...row.body,
  id: row.id,
  role: row.role,
  content: row.content,
  parentId: row.parentId,
  childrenIds,
  timestamp: row.timestampSec,
  ...(row.role === 'assistant' || row.done ? { done: row.done } : {}),
})

/** The path from the first message to this one. Stops at a message it has already passed, whatever the rows say. */
export const threadTo = <Row extends Linked>(rows: ReadonlyMap<string, Row>, id: string | null): Row[] => {
  const thread = new Set<Row>()
  for (let row = rows.get(id ?? ''); row && !thread.has(row); row = rows.get(row.parentId ?? '')) thread.add(row)
  return [...thread].reverse()
}

type Fields = Pick<ChatsTable, 'title' | 'models' | 'params' | 'files' | 'tags' | 'extra' | 'timestampMs' | 'currentId'>

/** `links` may include more messages than are shown, so that `childrenIds` still name other branches. */
export const presentStoredChat = (chat: Fields, rows: readonly MessageRow[], links: readonly Linked[]): StoredChat => {
  const children = childrenOf(links)
  const messages = new Map(rows.map((row) => [row.id, presentMessage(row, children.get(row.id) ?? [])]))
  return {
    ...chat.extra,
    title: chat.title,
    models: chat.models,
    messages: threadTo(messages, chat.currentId),
    history: { currentId: chat.currentId, messages: Object.fromEntries(messages) },
    currentId: chat.currentId,
    files: chat.files,
    tags: chat.tags,
    params: chat.params,
    timestamp: chat.timestampMs,
  }
}
