/**
 * Rate limits by key: in memory, with several servers on the machine in their supervisor's, or with `REDIS_URL` shared by
 * all nodes. While the shared store is unreachable each node counts for itself: a limit that is too generous is better than
 * failing sign-ins.
 */
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Siblings } from '../process/machine.ts'
import type { Rate, Spending } from './gcra.ts'
import { createMemoryStore } from './memory-store.ts'
import { createRedisStore } from './redis-store.ts'

interface Allowance {
  allowed: boolean
  /** The number of calls that are left right now. */
  remaining: number
  /** Whole seconds until the next one is granted; 0 when this one was. */
  retryAfterSec: number
}

export interface Limits {
  /** Spends one from the key's allowance. Never throws and never waits longer than 200 ms. */
  take(key: string, rate: Rate): Promise<Allowance>
  /** True when the shared store answers; always without one. */
  ping(): Promise<boolean>
  close(): void
}

interface Options {
  redisUrl?: string | undefined
  /** The other servers of this machine. */
  siblings?: Pick<Siblings, 'take'> | undefined
  clock: Clock
  log: Log
  /** The most keys that this process remembers. */
  capacity?: number
  /** After a failure the shared store is left alone this long, so that a hanging one costs one request 200 ms, not each. */
  restMs?: number
}

const timeoutMs = 200
const usualRestMs = 1000

interface SharedStore {
  name: string
  take(key: string, rate: Rate): Promise<Omit<Spending, 'paidOffAtUs'>>
  ping(): Promise<boolean>
  close(): void
}

const openShared = async ({ redisUrl, siblings, clock }: Options): Promise<SharedStore | undefined> => {
  if (redisUrl !== undefined) return { name: 'Redis', ...(await createRedisStore(redisUrl, timeoutMs)) }
  if (!siblings) return undefined
  return {
    name: 'The supervisor',
    take: (key, rate) => siblings.take({ ...rate, key, nowUs: clock.now().getTime() * 1000 }, timeoutMs),
    ping: async () => true,
    close: () => undefined,
  }
}

const allowance = (spending: { allowed: boolean; remaining: number; retryAfterUs: number }): Allowance => ({
  allowed: spending.allowed,
  remaining: spending.remaining,
  retryAfterSec: Math.ceil(spending.retryAfterUs / 1_000_000),
})

export const createLimits = async (options: Options): Promise<Limits> => {
  const { clock, log, capacity = 50_000, restMs = usualRestMs } = options
  const memory = createMemoryStore(capacity)
  const shared = await openShared(options)
  let restUntilMs = 0
  let isDown = false

  const takeShared = async (store: SharedStore, key: string, rate: Rate): Promise<Allowance | undefined> => {
    if (performance.now() < restUntilMs) return undefined
    try {
      const spending = await store.take(key, rate)
      if (isDown) log.info(`${store.name} answers again: rate limits are shared.`)
      isDown = false
      return allowance(spending)
    } catch (error) {
      restUntilMs = performance.now() + restMs
      if (!isDown) log.warn({ err: error }, `${store.name} does not answer: this node counts rate limits for itself.`)
      isDown = true
      return undefined
    }
  }

  return {
    async take(key, rate) {
      const found = shared && (await takeShared(shared, key, rate))
      return found ?? allowance(memory.take(key, clock.now().getTime() * 1000, rate))
    },
    ping: async () => shared?.ping() ?? true,
    close: () => shared?.close(),
  }
}
