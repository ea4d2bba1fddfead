/** A conversation that a model can reply to: made without Vitest, for the suites of `chaos` too. */
import { randomUUID } from 'node:crypto'
import type { Client } from './client.ts'

export interface NewChat {
  chatId: string
  messageId: string
  /** The fields of a completion into it, beside the model. */
  body: { chat_id: string; id: string; session_id: string; messages: { role: string; content: string }[] }
}

export interface ChatOptions {
  question?: string
  title?: string
  model?: string
  /** Makes the ids of its messages. */
  newId?: () => string
}

export const makeChat = async (
  person: Client,
  { question = 'What is the time?', title = 'New Chat', model = 'swift', newId = randomUUID }: ChatOptions = {},
): Promise<NewChat> => {
  const userId = newId()
  const messageId = newId()
  const timestamp = Math.floor(Date.now() / 1000)
  const user = { id: userId, role: 'user', content: question, timestamp, models: [model], childrenIds: [messageId] }
  const assistant = {
    id: messageId,
    role: 'assistant',
    content: '',
    parentId: userId,
    childrenIds: [],
    model,
    modelName: model,
    modelIdx: 0,
    timestamp,
    done: false,
  }
  const history = { currentId: messageId, messages: { [userId]: user, [messageId]: assistant } }
  const chat = { title, models: [model], messages: [user, assistant], history }
  const reply = await person.post('/api/v1/chats/new', { chat })
  if (reply.status >= 300) throw new Error(`making a chat failed: ${reply.text}`)
  const chatId: string = reply.body.id
  return {
    chatId,
    messageId,
    body: { chat_id: chatId, id: messageId, session_id: randomUUID(), messages: [{ role: 'user', content: question }] },
  }
}
