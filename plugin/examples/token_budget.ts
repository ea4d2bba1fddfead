/**
 * title: Token budget
 * description: Leaves out the oldest messages of long conversations, and refuses a question that is too long by itself.
 */
import type { Body, Helpers, Message } from '@chancery/plugin'

interface Settings {
  budget: number
}

const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join(' ')

/** About four characters each, and a few for every message. */
const tokensOf = (message: Message): number => Math.ceil(textOf(message).length / 4) + 4

export class Filter {
  static Valves = {
    budget: {
      type: 'integer',
      default: 8000,
      minimum: 100,
      title: 'Budget',
      description: 'Tokens that a request may have.',
    },
    priority: { type: 'integer', default: 10, title: 'Priority', description: 'Lower runs first.' },
  }

  async inlet(body: Body, { __valves__, __event_emitter__ }: Helpers<Settings>): Promise<Body> {
    const system = body.messages.filter(({ role }) => role === 'system')
    const others = body.messages.filter(({ role }) => role !== 'system')
    let left = __valves__.budget - system.reduce((sum, message) => sum + tokensOf(message), 0)
    const kept: Message[] = []
    for (const message of others.toReversed()) {
      left -= tokensOf(message)
      if (left < 0) break
      kept.unshift(message)
    }
    if (kept.length === 0) throw new Error(`Your message is longer than ${__valves__.budget} tokens. Shorten it.`)
    const dropped = others.length - kept.length
    if (dropped > 0)
      await __event_emitter__({
        type: 'status',
        data: { description: `Left out ${dropped} earlier messages`, done: true },
      })
    return { ...body, messages: [...system, ...kept] }
  }
}
