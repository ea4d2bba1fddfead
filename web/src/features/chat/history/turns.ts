/** Adding to a conversation: a new turn, an edited one, another reply. Pure; sending is done elsewhere. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import type { MessageFile } from '../attachments/message-files.ts'
import { columnOf, findMessage, type History } from './tree.ts'

export interface ChosenModel {
  id: string
  name: string
}

/** The new messages, and the current message after them. */
export interface Turn {
  messages: Message[]
  /** The new messages that wait for a model. */
  replies: Message[]
  currentId: string
}

interface Making {
  newId: () => string
  nowSec: number
}

export interface NewTurn extends Making {
  parentId: string | null
  content: string
  models: readonly ChosenModel[]
  files?: readonly MessageFile[]
}

const replyTo = (parentId: string, model: ChosenModel, column: number, { newId, nowSec }: Making): Message => ({
  id: newId(),
  role: 'assistant',
  content: '',
  parentId,
  childrenIds: [],
  timestamp: nowSec,
  model: model.id,
  modelName: model.name,
  modelIdx: column,
  done: false,
})

export function newTurn({ parentId, content, models, files = [], ...making }: NewTurn): Turn {
  const id = making.newId()
  const replies = models.map((model, column) => replyTo(id, model, column, making))
  const user: Message = {
    id,
    role: 'user',
    content,
    parentId,
    childrenIds: replies.map((reply) => reply.id),
    timestamp: making.nowSec,
    models: models.map((model) => model.id),
    ...(files.length > 0 && { files: [...files] }),
  }
  return { messages: [user, ...replies], replies, currentId: replies[0]?.id ?? id }
}

/** Another reply to the same question, by the same model, in the same column. */
export function anotherReply(reply: Message, model: ChosenModel, making: Making): Turn {
  const next = replyTo(reply.parentId ?? '', model, columnOf(reply), making)
  return { messages: [next], replies: [next], currentId: next.id }
}

/** Parents outside the turn that get a new child. */
function gained(history: History, { messages }: Turn): Record<string, Message> {
  const fresh = new Set(messages.map(({ id }) => id))
  const parents: Record<string, Message> = {}
  for (const { id, parentId } of messages) {
    if (parentId === null || fresh.has(parentId)) continue
    const parent = parents[parentId] ?? findMessage(history, parentId)
    if (parent) parents[parentId] = { ...parent, childrenIds: [...parent.childrenIds, id] }
  }
  return parents
}

const byId = (messages: readonly Message[]) => Object.fromEntries(messages.map((message) => [message.id, message]))

export const withTurn = (history: History, turn: Turn): History => ({
  currentId: turn.currentId,
  messages: { ...history.messages, ...gained(history, turn), ...byId(turn.messages) },
})

/** Removes a turn that the server rejected. */
export function withoutTurn(history: History, turn: Turn, currentId: string | null): History {
  const gone = new Set(turn.messages.map(({ id }) => id))
  const remaining = Object.values(history.messages)
    .filter(({ id }) => !gone.has(id))
    .map((message) =>
      message.childrenIds.some((id) => gone.has(id))
        ? { ...message, childrenIds: message.childrenIds.filter((id) => !gone.has(id)) }
        : message,
    )
  return { currentId, messages: byId(remaining) }
}

/** The body of the update: the new messages in full, and only the children of their parents. */
export function patchOf(history: History, turn: Turn) {
  const parents = Object.entries(gained(history, turn)).map(([id, { childrenIds }]) => [id, { childrenIds }])
  return { currentId: turn.currentId, messages: { ...byId(turn.messages), ...Object.fromEntries(parents) } }
}
