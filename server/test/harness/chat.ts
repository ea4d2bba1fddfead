/** A conversation made ready for a reply, and what watches the reply arrive. */
import { randomUUID } from 'node:crypto'
import OpenAI from 'openai'
import { vi } from 'vitest'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'

export interface PreparedChat {
  chatId: string
  messageId: string
  /** The fields of a completion into it, beside the model. */
  body: { chat_id: string; id: string; session_id: string; messages: { role: string; content: string }[] }
  /** The stored assistant message, as the owner reads it. */
  // biome-ignore lint/suspicious/noExplicitAny: a reply's body is whatever the server sent; assertions give it its shape
  message(): Promise<any>
  /** The same once it is done. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  done(): Promise<any>
}

interface ChatOptions {
  question?: string
  title?: string
  model?: string
  /** Makes the ids of its messages. */
  newId?: () => string
}

export const prepareChat = async (
  person: Person,
  { question = 'What is the time?', title = 'New Chat', model = 'swift', newId = randomUUID }: ChatOptions = {},
): Promise<PreparedChat> => {
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
  const message = async () => (await person.get(`/api/v1/chats/${chatId}`)).body.chat.history.messages[messageId]
  return {
    chatId,
    messageId,
    message,
    body: { chat_id: chatId, id: messageId, session_id: randomUUID(), messages: [{ role: 'user', content: question }] },
    done: () =>
      vi.waitFor(
        async () => {
          const stored = await message()
          if (stored.done !== true) throw new Error('the reply is not done')
          return stored
        },
        { timeout: 10_000, interval: 20 },
      ),
  }
}

/** The official SDK, as one of these people. */
export const openaiOf = (app: Pick<TestApp, 'url'>, person: Pick<Person, 'token'>, prefix = '/api'): OpenAI =>
  new OpenAI({ baseURL: app.url + prefix, apiKey: person.token, maxRetries: 0 })

/** The `data:` of each frame of an event stream, parsed; `[DONE]` as it is. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the server sent
export const framesIn = (text: string): any[] =>
  text
    .split('\n\n')
    .flatMap((frame) => frame.split('\n').filter((line) => line.startsWith('data: ')))
    .map((line) => line.slice(6))
    .map((data) => (data === '[DONE]' ? data : JSON.parse(data)))
