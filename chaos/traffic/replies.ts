/** Replies of a model in chats, which take some seconds: each ends whole, or with an error where its node died. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../server/test/harness/client.ts'
import { makeChat } from '../../server/test/harness/new-chat.ts'
import { slowPieces } from './slow-answer.ts'

export interface Replied {
  accepted: number
  /** Ended with an error, as the reply of a node that died. */
  interrupted: number
  /** What is stored of those that are neither whole nor interrupted. */
  broken: string[]
}

interface Message {
  content: string
  done: boolean
  error?: { code?: string } | string
}

const whole = slowPieces.join('')
const pollMs = 300
/** Others end the reply of a node that died when it gave no sign of life for 30 s. */
const patienceMs = 90_000

interface Conversing {
  isOver(): boolean
  onEnded(): void
}

export const converse = async (person: Client, { isOver, onEnded }: Conversing): Promise<Replied> => {
  const replied: Replied = { accepted: 0, interrupted: 0, broken: [] }
  const read = async (chatId: string, messageId: string): Promise<Message> =>
    (await person.get(`/api/v1/chats/${chatId}`)).body.chat.history.messages[messageId]
  const untilEnded = async (chatId: string, messageId: string): Promise<Message> => {
    const untilMs = performance.now() + patienceMs
    for (;;) {
      const message = await read(chatId, messageId)
      if (message.done || performance.now() > untilMs) return message
      await sleep(pollMs)
    }
  }
  while (!isOver()) {
    const { chatId, messageId, body } = await makeChat(person, { question: 'SLOWLY please' })
    const asked = { model: 'swift', stream: true, ...body }
    const { status } = await person.post('/api/chat/completions', asked, { prefer: 'respond-async' })
    // Refused where an earlier attempt was accepted by a node that died before it said so.
    if (status < 300) replied.accepted += 1
    const message = await untilEnded(chatId, messageId)
    const { content, done, error } = message
    if (done && content.trimEnd() === whole.trimEnd() && error === undefined) onEnded()
    else if (done && whole.startsWith(content) && error !== undefined) replied.interrupted += 1
    else replied.broken.push(JSON.stringify({ status, content, done, error }))
  }
  return replied
}
