/** Messages and chats as clients send them, and a node whose chats module a test can call directly. */
import { randomUUID } from 'node:crypto'
import { createChats } from '#modules/chats/index.ts'
import { createFiles } from '#modules/files/index.ts'
import { createRealtime } from '#modules/realtime/index.ts'
import type { TestApp } from './app.ts'
import { atEnd } from './at-end.ts'
import type { Client } from './client.ts'
import { createNode } from './node.ts'

// biome-ignore lint/suspicious/noExplicitAny: assertions give it its shape
export type Wire = Record<string, any>

export const asked = (content: string, more: Wire = {}): Wire => ({
  id: randomUUID(),
  role: 'user',
  content,
  timestamp: 1_790_000_000,
  models: ['guide'],
  childrenIds: [],
  ...more,
})

export const answered = (content: string, parentId: string, more: Wire = {}): Wire => ({
  id: randomUUID(),
  role: 'assistant',
  content,
  parentId,
  childrenIds: [],
  timestamp: 1_790_000_001,
  model: 'guide',
  modelName: 'Guide',
  modelIdx: 0,
  done: content !== '',
  ...more,
})

/** The last one is the chat's current message. */
export const historyOf = (messages: Wire[]) => ({
  currentId: messages.at(-1)?.id ?? null,
  messages: Object.fromEntries(messages.map((message) => [message.id, message])),
})

export const chatOf = (messages: Wire[], more: Wire = {}): Wire => ({
  title: 'A chat',
  models: ['guide'],
  messages,
  history: historyOf(messages),
  ...more,
})

/** Created through the API. */
export const newChat = async (
  person: Client,
  messages: Wire[] = [],
  more: Wire = {},
): Promise<Wire & { id: string }> => {
  const reply = await person.post('/api/v1/chats/new', { chat: chatOf(messages, more) })
  if (reply.status !== 200) throw new Error(`making a chat failed: ${reply.text}`)
  return reply.body
}

/** How one person reads and changes chats. */
export const chatsOf = (person: Client) => {
  const read = async (id: string): Promise<Wire> => (await person.get(`/api/v1/chats/${id}`)).body
  const merge = (id: string, chat: Wire) => person.post(`/api/v1/chats/${id}`, { chat })
  return {
    read,
    messagesOf: async (id: string): Promise<Record<string, Wire>> => (await read(id)).chat.history.messages,
    merge,
    mergeMessages: (id: string, messages: Record<string, Wire>, more: Wire = {}) =>
      merge(id, { history: { messages, ...more } }),
  }
}

/** A question with its answer, linked as the contract asks. */
export const turn = (question: string, answer: string, parentId?: string): [Wire, Wire] => {
  const user = asked(question, parentId === undefined ? {} : { parentId })
  const assistant = answered(answer, user.id)
  return [{ ...user, childrenIds: [assistant.id] }, assistant]
}

/** The module itself on the app's database, for what no route offers. */
export const startChatsNode = async (app: TestApp) => {
  const { kernel, accounts, organizations, start, stop } = await createNode(app)
  const realtime = createRealtime({ kernel, accounts })
  const files = createFiles({ kernel, accounts })
  await start(realtime)
  atEnd(() => stop(realtime))
  return { chats: createChats({ kernel, accounts, files, organizations, realtime }), db: kernel.db }
}
