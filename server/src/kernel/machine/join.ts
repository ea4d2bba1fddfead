/** The server's end of the channel to its supervisor. Without the channel, it ends (`node:cluster` sees to that). */
import type {
  Channels,
  ChannelUse,
  PlaceOnMachine,
  RateOnMachine,
  Siblings,
  SpentOnMachine,
} from '../process/machine.ts'
import { beatMs, type FromServer, type Orders, type Question, type Ready, type ToServer } from './messages.ts'

export interface Membership {
  orders: Promise<Orders>
  siblings: Omit<Siblings, 'folder'>
  /** Told to stop by the supervisor, at most once. */
  onStop(stop: (how: { isReplaced: boolean }) => void): void
  sayReady(ready: Ready): void
}

const channelTimeoutMs = 1000
/** The supervisor itself waits one second for the others. */
const othersTimeoutMs = 2000

export const joinMachine = (): Membership => {
  const { promise: orders, resolve: setOrders } = Promise.withResolvers<Orders>()
  const waiting = new Map<number, (answer: unknown) => void>()
  const answers = new Map<string, () => Promise<string>>()
  let use: ChannelUse | undefined
  let stop: (how: { isReplaced: boolean }) => void = () => undefined
  let lastId = 0
  let isFull = false

  /** False, and lost, while the supervisor doesn't read what it was told before. */
  const say = (message: FromServer): boolean => {
    if (isFull || !process.connected) return false
    const hasRoom = process.send?.(message, undefined, undefined, () => {
      isFull = false
    })
    isFull = hasRoom === false
    return true
  }
  /** For what may not be lost, and is little. */
  const tell = (message: FromServer): void => {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  }
  const ask = (question: Question, timeoutMs: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1
      const id = lastId
      const fail = (): void => {
        waiting.delete(id)
        reject(new Error('The supervisor does not answer.'))
      }
      if (!say({ type: 'question', id, question })) return fail()
      const timer = setTimeout(fail, timeoutMs)
      waiting.set(id, (answer) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(answer)
      })
    })
  const answerQuestion = async (id: number, question: string): Promise<void> => {
    const answer = await answers
      .get(question)?.()
      .catch(() => undefined)
    say({ type: 'answer', id, answer })
  }
  process.on('message', (message: ToServer) => {
    if (message.type === 'start') setOrders(message.orders)
    else if (message.type === 'stop') stop(message)
    else if (message.type === 'answer') waiting.get(message.id)?.(message.answer)
    else if (message.type === 'message') use?.onMessage(message.channel, message.text)
    else if (message.type === 'question') void answerQuestion(message.id, message.question)
  })
  setInterval(() => say({ type: 'beat' }), beatMs)

  const openChannels = (given: ChannelUse): Channels => {
    use = given
    setImmediate(() => void given.onReady())
    return {
      send: async (channel, text) => {
        const received = await ask({ ask: 'send', channel, text }, channelTimeoutMs).catch(() => 0)
        return received as number
      },
      subscribe: (channels) =>
        ask({ ask: 'subscribe', channels }, channelTimeoutMs).then(
          () => true,
          () => false,
        ),
      unsubscribe: (channel) => void say({ type: 'unsubscribe', channel }),
      isReady: () => process.connected,
      close: () => {
        use = undefined
      },
    }
  }
  const takePlace = (place: PlaceOnMachine, begin: () => void): (() => void) => {
    lastId += 1
    const id = lastId
    waiting.set(id, () => {
      waiting.delete(id)
      begin()
    })
    tell({ type: 'place', id, place })
    return () => {
      waiting.delete(id)
      tell({ type: 'leave', id })
    }
  }
  const take = async (rate: RateOnMachine, timeoutMs: number): Promise<SpentOnMachine> =>
    (await ask({ ask: 'take', rate }, timeoutMs)) as SpentOnMachine
  const askOthers = async (question: string): Promise<(string | undefined)[]> => {
    const found = await ask({ ask: 'others', question }, othersTimeoutMs).catch(() => [])
    // JSON has no undefined.
    return (found as (string | null)[]).map((answer) => answer ?? undefined)
  }
  return {
    orders,
    siblings: {
      openChannels,
      take,
      takePlace,
      askOthers,
      answerOthers: (question, answer) => void answers.set(question, answer),
    },
    onStop: (given) => {
      stop = given
    },
    sayReady: (ready) => void say({ type: 'ready', ready }),
  }
}
