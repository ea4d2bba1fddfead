/**
 * The JSON of a chat, written from rows without making objects of its messages first: each is turned into text once,
 * though the contract shows those of the active thread twice. What it says is what `presentChat` says; a test compares.
 */
import type { Chat } from '@chancery/contract/chats.ts'
import type { MessageTextRow } from './queries/messages.ts'
import { childrenOf, threadTo } from './thread.ts'

type Links = readonly Pick<MessageTextRow, 'id' | 'parentId'>[]

/** `head` is the chat as it is presented without its messages. */
export const chatText = (head: Chat, rows: readonly MessageTextRow[], links: Links = rows): string => {
  const children = childrenOf(links)
  const texts = new Map(rows.map((row) => [row.id, messageText(row, children.get(row.id) ?? [])]))
  const { chat, ...record } = head
  const { messages: _, history, ...fields } = chat
  const { currentId } = history
  const thread = threadTo(new Map(rows.map((row) => [row.id, row])), currentId).map(({ id }) => texts.get(id))
  const map = Array.from(texts, ([id, text]) => `"${id}":${text}`)
  const tree = `{"currentId":${JSON.stringify(currentId)},"messages":{${map.join(',')}}}`
  return `{"chat":{"messages":[${thread.join(',')}],"history":${tree},${inside(fields)}},${inside(record)}}`
}

/** Fields of the body come first: should one carry the name of a column, the column counts. */
const messageText = (row: MessageTextRow, childrenIds: readonly string[]): string => {
  const { id, role, content, parentId, timestampSec: timestamp, done } = row
  const shown = {
    id,
    role,
    content,
    parentId,
    childrenIds,
    timestamp,
    ...(role === 'assistant' || done ? { done } : {}),
  }
  return row.bodyText === '{}' ? JSON.stringify(shown) : `{${row.bodyText.slice(1, -1)},${inside(shown)}}`
}

/** An object's JSON without its braces. */
const inside = (value: object): string => JSON.stringify(value).slice(1, -1)
