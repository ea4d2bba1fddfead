/**
 * The JSON of a chat, written from rows without making objects of its messages first: each is turned into text once,
 * though the contract shows those of the active thread twice. What it says is what `presentChat` says; a test compares.
 */
import type { Chat } from '@chancery/contract/chats/chats.ts'
import type { MessageTextRow } from '../queries/messages.ts'
import { childrenOf, threadTo } from './thread.ts'

type Links = readonly Pick<MessageTextRow, 'id' | 'parentId'>[]

/** A long chat in pieces, each of so many messages. */
const perPiece = 200

/** What `chatText` says, from the texts of all messages in their order. */
export function* chatPieces(head: Chat, texts: ReadonlyMap<string, string>, links: Links): Generator<string> {
  const { chat, ...record } = head
  const { messages: _, history, ...fields } = chat
  const thread = threadTo(new Map(links.map((link) => [link.id, link])), history.currentId)
  yield '{"chat":{"messages":['
  yield* inPieces(thread.flatMap(({ id }) => texts.get(id) ?? []))
  yield `],"history":{"currentId":${JSON.stringify(history.currentId)},"messages":{`
  yield* inPieces(Array.from(texts, ([id, text]) => `"${id}":${text}`))
  yield `}},${inside(fields)}},${inside(record)}}`
}

function* inPieces(items: readonly string[]): Generator<string> {
  for (let at = 0; at < items.length; at += perPiece)
    yield `${at === 0 ? '' : ','}${items.slice(at, at + perPiece).join(',')}`
}

/** `head` is the chat as it is presented without its messages. */
export const chatText = (head: Chat, rows: readonly MessageTextRow[], links: Links = rows): string => {
  const { texts, parts } = partsOf(head, rows, links)
  const thread = threadTo(new Map(rows.map((row) => [row.id, row])), head.chat.history.currentId)
  return assemble({ ...parts, thread: thread.flatMap(({ id }) => texts.get(id) ?? []) })
}

/** The same with every message once: the thread, which the tree implies, is left empty. */
export const exportText = (head: Chat, rows: readonly MessageTextRow[]): string =>
  assemble({ ...partsOf(head, rows, rows).parts, thread: [] })

const partsOf = (head: Chat, rows: readonly MessageTextRow[], links: Links) => {
  const children = childrenOf(links)
  const texts = new Map(rows.map((row) => [row.id, messageText(row, children.get(row.id) ?? [])]))
  const { chat, ...record } = head
  const { messages: _, history, ...fields } = chat
  const { currentId } = history
  const map = Array.from(texts, ([id, text]) => `"${id}":${text}`)
  const tree = `{"currentId":${JSON.stringify(currentId)},"messages":{${map.join(',')}}}`
  return { texts, parts: { tree, fields: inside(fields), record: inside(record) } }
}

const assemble = ({
  thread,
  tree,
  fields,
  record,
}: Record<'tree' | 'fields' | 'record', string> & { thread: string[] }) =>
  `{"chat":{"messages":[${thread.join(',')}],"history":${tree},${fields}},${record}}`

/** Fields of the body come first: should one carry the name of a column, the column counts. */
export const messageText = (row: MessageTextRow, childrenIds: readonly string[]): string => {
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
