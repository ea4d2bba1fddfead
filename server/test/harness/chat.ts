/** A conversation made ready for a reply, and what watches the reply arrive. */
import OpenAI from 'openai'
import { vi } from 'vitest'
import type { TestApp } from './app.ts'
import { type ChatOptions, makeChat, type NewChat } from './new-chat.ts'
import type { Person } from './people.ts'

export interface PreparedChat extends NewChat {
  /** The stored assistant message, as the owner reads it. */
  // biome-ignore lint/suspicious/noExplicitAny: a reply's body is whatever the server sent; assertions give it its shape
  message(): Promise<any>
  /** The same once it is done. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  done(): Promise<any>
}

export const prepareChat = async (person: Person, options: ChatOptions = {}): Promise<PreparedChat> => {
  const chat = await makeChat(person, options)
  const message = async () =>
    (await person.get(`/api/v1/chats/${chat.chatId}`)).body.chat.history.messages[chat.messageId]
  return {
    ...chat,
    message,
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
