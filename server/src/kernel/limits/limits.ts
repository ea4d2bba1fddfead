/**
 * Rate limits by key, in memory or, with `REDIS_URL`, shared by all nodes.
 * While Redis is unreachable each node counts for itself: a limit that is too generous is better than failing sign-ins.
 */
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Rate } from './gcra.ts'
import { createMemoryStore } from './memory-store.ts'
import { createRedisStore, type RedisStore } from './redis-store.ts'

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
  clock: Clock
  log: Log
  /** The most keys that this process remembers. */
  capacity?: number
  /** After a failure Redis is left alone this long, so that a hanging one costs one request 200 ms, not each. */
  restMs?: number
}

const timeoutMs = 200
const usualRestMs = 1000

const allowance = (spending: { allowed: boolean; remaining: number; retryAfterUs: number }): Allowance => ({
  allowed: spending.allowed,
  remaining: spending.remaining,
  retryAfterSec: Math.ceil(spending.retryAfterUs / 1_000_000),
})

export const createLimits = async (options: Options): Promise<Limits> => {
  const { redisUrl, clock, log, capacity = 50_000, restMs = usualRestMs } = options
  const memory = createMemoryStore(capacity)
  const redis = redisUrl === undefined ? undefined : await createRedisStore(redisUrl, timeoutMs)
  let restUntilMs = 0
  let isDown = false

  const takeShared = async (store: RedisStore, key: string, rate: Rate): Promise<Allowance | undefined> => {
    if (performance.now() < restUntilMs) return undefined
    try {
      const spending = await store.take(key, rate)
      if (isDown) log.info('Redis answers again: rate limits are shared by all nodes.')
      isDown = false
      return allowance(spending)
    } catch (error) {
      restUntilMs = performance.now() + restMs
      if (!isDown) log.warn({ err: error }, 'Redis does not answer: this node counts rate limits for itself.')
      isDown = true
      return undefined
    }
  }

  return {
    async take(key, rate) {
      const shared = redis && (await takeShared(redis, key, rate))
      return shared ?? allowance(memory.take(key, clock.now().getTime() * 1000, rate))
    },
    ping: async () => (redis ? redis.ping() : true),
    close: () => redis?.close(),
  }
}
