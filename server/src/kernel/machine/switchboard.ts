/** Answers the servers' questions in the supervisor: channels, rate limits and places of the machine, questions to the others. */
import { createMemoryStore } from '../limits/memory-store.ts'
import { createHub } from './hub.ts'
import type { FromServer, Question } from './messages.ts'
import type { ServerProcess } from './server-process.ts'
import { createSharedPlaces } from './shared-places.ts'

export interface Switchboard {
  receive(server: ServerProcess, message: FromServer): void
  remove(server: ServerProcess): void
}

interface Options {
  others(server: ServerProcess): readonly ServerProcess[]
  /** What another server hasn't answered after this time is missing. */
  patienceMs?: number
}

/** As many keys as a server alone remembers. */
const mostKeys = 50_000

export const createSwitchboard = ({ others, patienceMs = 1000 }: Options): Switchboard => {
  const hub = createHub<ServerProcess>((server, message) => server.offer({ type: 'message', ...message }))
  const rates = createMemoryStore(mostKeys)
  const places = createSharedPlaces<ServerProcess>((server, id) => server.tell({ type: 'answer', id, answer: true }))
  const asked = new Map<number, (answer: string | undefined) => void>()
  let lastId = 0

  const ask = (server: ServerProcess, question: string): Promise<string | undefined> => {
    lastId += 1
    const id = lastId
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    if (!server.isReady() || !server.offer({ type: 'question', id, question })) return Promise.resolve(undefined)
    const timer = setTimeout(() => resolve(undefined), patienceMs)
    asked.set(id, resolve)
    return promise.finally(() => {
      clearTimeout(timer)
      asked.delete(id)
    })
  }
  const answer = (server: ServerProcess, question: Question): unknown => {
    switch (question.ask) {
      case 'send':
        return hub.send(server, question.channel, question.text)
      case 'subscribe':
        hub.subscribe(server, question.channels)
        return true
      case 'take': {
        const { key, nowUs, ...rate } = question.rate
        return rates.take(key, nowUs, rate)
      }
      case 'others':
        return Promise.all(others(server).map((other) => ask(other, question.question)))
    }
  }
  return {
    receive: (server, message) => {
      if (message.type === 'unsubscribe') hub.unsubscribe(server, message.channel)
      else if (message.type === 'place') places.take(server, message.id, message.place)
      else if (message.type === 'leave') places.leave(server, message.id)
      else if (message.type === 'answer') asked.get(message.id)?.(message.answer)
      else if (message.type === 'question') {
        const { id, question } = message
        void Promise.resolve(answer(server, question)).then((found) =>
          server.tell({ type: 'answer', id, answer: found }),
        )
      }
    },
    remove: (server) => {
      hub.remove(server)
      places.remove(server)
    },
  }
}
