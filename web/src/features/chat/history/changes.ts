/** Applies socket events about a chat to the chat in this tab. */

import type { Chat, Message } from '@chancery/contract/chats/chats.ts'
import type { ChatChanged } from '@chancery/contract/chats/events.ts'
import type { z } from 'zod'
import { findMessage, type History, isUnder } from './tree.ts'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const withHistory = (chat: Chat, history: History): Chat => ({
  ...chat,
  chat: { ...chat.chat, currentId: history.currentId, history: { ...history, messages: { ...history.messages } } },
})

export function withMessage(chat: Chat, id: string, change: (message: Message) => Message): Chat {
  const { history } = chat.chat
  const message = findMessage(history, id)
  if (!message) return chat
  return withHistory(chat, { ...history, messages: { ...history.messages, [id]: change(message) } })
}

export const withTitle = (chat: Chat, title: string): Chat => ({ ...chat, title, chat: { ...chat.chat, title } })

export const withTags = (chat: Chat, tags: string[]): Chat => ({
  ...chat,
  meta: { ...chat.meta, tags },
  chat: { ...chat.chat, tags },
})

const blank = (id: string): Message => ({
  id,
  role: 'user',
  content: '',
  parentId: null,
  childrenIds: [],
  timestamp: 0,
})

/** A finished message is never made unfinished by an older event that arrives late. */
function mergeMessage(known: Message | undefined, id: string, fields: Fields): Message {
  if (known?.done === true && fields.done === false) return known
  return { ...(known ?? blank(id)), ...fields, id } as Message
}

/**
 * True if the chat must be refetched: some messages came by ID only, or the title differs. That title may be older
 * than the one this tab has: two changes at about the same time can be announced in the wrong order.
 */
export const isPartial = (chat: Chat, { message_ids, messages = {}, title }: z.infer<typeof ChatChanged>): boolean =>
  message_ids.some((id) => !Object.hasOwn(messages, id)) || (title !== undefined && title !== chat.title)

/** Events name the messages that were written; a parent that got a new child may not be among them. */
function relink(messages: Record<string, Message>, ids: readonly string[]) {
  for (const id of ids) {
    const parentId = messages[id]?.parentId
    const parent = parentId ? messages[parentId] : undefined
    if (!parent || parent.childrenIds.includes(id)) continue
    messages[parent.id] = { ...parent, childrenIds: [...parent.childrenIds, id] }
  }
}

/** Another tab added messages. This tab stays on its branch, unless that branch itself grew. */
export function withChange(chat: Chat, change: z.infer<typeof ChatChanged>): Chat {
  const { history } = chat.chat
  const messages = { ...history.messages }
  for (const [id, fields] of Object.entries(change.messages ?? {})) {
    if (isFields(fields)) messages[id] = mergeMessage(findMessage(history, id), id, fields)
  }
  relink(messages, Object.keys(change.messages ?? {}))
  const next: History = { currentId: history.currentId, messages }
  const grew = findMessage(next, change.current_id) !== undefined && isUnder(next, change.current_id, history.currentId)
  const moved = withHistory(chat, { messages, currentId: grew ? change.current_id : history.currentId })
  const named = change.title !== undefined && change.message_ids.length === 0 ? withTitle(moved, change.title) : moved
  return { ...named, updated_at: change.updated_at }
}

type Change = (message: Message, data: Fields) => Fields

const addContent: Change = (message, data) => ({ content: `${message.content}${String(data.content ?? '')}` })
const setContent: Change = (_, data) => ({ content: String(data.content ?? '') })
const addFiles: Change = (message, data) => ({ files: [...listOf(message.files), ...listOf(data.files)] })
const addEmbeds: Change = (message, data) => ({
  embeds: data.replace === true ? listOf(data.embeds) : [...listOf(message.embeds), ...listOf(data.embeds)],
})
/** A run of code reports several times under one ID: the last report counts, at its first position. */
const putRun: Change = (message, data) => {
  const runs = listOf(message.code_executions)
  const isSame = (run: unknown) => isFields(run) && run.id === data.id
  return { code_executions: runs.some(isSame) ? runs.map((run) => (isSame(run) ? data : run)) : [...runs, data] }
}
const addSource: Change = (message, data) =>
  data.type === 'code_execution' ? putRun(message, data) : { sources: [...listOf(message.sources), data] }

/** A plugin's own `chat:completion`: the whole text, the next chunk, or sources. Frames of a running reply are numbered. */
const takeCompletion: Change = (message, data) => {
  if (typeof data.content === 'string') return { content: data.content }
  const deltas = listOf(data.choices)
    .filter(isFields)
    .map(({ delta }) => (isFields(delta) ? delta.content : ''))
  if (deltas.length > 0) return addContent(message, { content: deltas.map((text) => text ?? '').join('') })
  return { sources: [...listOf(message.sources), ...listOf(data.sources)] }
}

const changes: Record<string, Change> = {
  status: (message, data) => ({ statusHistory: [...listOf(message.statusHistory), data] }),
  message: addContent,
  'chat:message:delta': addContent,
  replace: setContent,
  'chat:message': setContent,
  files: addFiles,
  'chat:message:files': addFiles,
  embeds: addEmbeds,
  'chat:message:embeds': addEmbeds,
  source: addSource,
  citation: addSource,
  'chat:completion': takeCompletion,
  'chat:message:favorite': (_, data) => ({ favorite: data.favorite === true }),
  'chat:message:follow_ups': (_, data) => ({ followUps: listOf(data.follow_ups) }),
  'chat:message:error': (_, data) => ({ error: data.error }),
}

/** Undefined for an event type that isn't about a message. */
export function withEvent(message: Message, type: string, data: unknown): Message | undefined {
  const change = Object.hasOwn(changes, type) ? changes[type] : undefined
  return change && isFields(data) ? ({ ...message, ...change(message, data) } as Message) : undefined
}
