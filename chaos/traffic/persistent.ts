/** Somebody whose requests go to any node that answers, and again to another one when it does not. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, clientOf, createClient, type Reply } from '../../server/test/harness/client.ts'
import type { Target } from '../load.ts'

/** For one attempt, and for all. */
const attemptMs = 30_000
const patienceMs = 120_000

export const createPersistent = (target: Target, headers: Record<string, string>): Client => {
  const { addresses, random, onFailed } = target
  const attempt = async (address: string, call: Parameters<Client['send']>): Promise<Reply | string> => {
    const late = sleep(attemptMs, 'no answer', { ref: false })
    const reply = await Promise.race([createClient(address, headers).send(...call), late]).catch(String)
    return typeof reply === 'object' && (reply.status >= 500 || reply.status === 429) ? String(reply.status) : reply
  }
  return clientOf(async (...call) => {
    const untilMs = performance.now() + patienceMs
    const [method, path] = call
    while (performance.now() < untilMs) {
      const there = addresses()
      const address = there[Math.floor(random() * there.length)]
      const reply = address === undefined ? undefined : await attempt(address, call)
      if (typeof reply === 'object') return reply
      if (reply !== undefined) onFailed?.(`${method} ${path}: ${reply}`)
      await sleep(100)
    }
    throw new Error(`${method} ${path} was answered by nobody for ${patienceMs / 1000} s`)
  })
}
