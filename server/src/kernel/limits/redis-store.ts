/**
 * Counts shared by all nodes, in Redis. Time is Redis's own, so nodes with differing clocks agree.
 * Every call is bounded: it answers, or rejects within `timeoutMs`; a connection that is down rejects at once.
 */
import { once } from 'node:events'
import type { ClientContext, Result } from 'ioredis'
import type { Rate, Spending } from './gcra.ts'

export interface RedisStore {
  take(key: string, rate: Rate): Promise<Omit<Spending, 'paidOffAtUs'>>
  ping(): Promise<boolean>
  close(): void
}

/** `spend` of gcra.ts in Lua; the key lives as long as its debt. */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = ARGV[2] * 1000000
local cost = math.floor(window / ARGV[1])
local before = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local after = before + cost
local spare = window - (after - now)
if spare < 0 then return {0, 0, -spare} end
redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', math.ceil((after - now) / 1000))
return {1, math.floor(spare / cost), 0}
`

const firstConnectionMs = 1000

declare module 'ioredis' {
  interface RedisCommander<Context extends ClientContext> {
    takeOne(key: string, max: number, windowSec: number): Result<[number, number, number], Context>
  }
}

/** Waits briefly for the first connection. If Redis is missing, the start goes on and reconnecting never stops. */
export const createRedisStore = async (url: string, timeoutMs: number): Promise<RedisStore> => {
  const ioredis = await import('ioredis')
  const redis = new ioredis.Redis(url, {
    connectionName: 'chancery-limits',
    commandTimeout: timeoutMs,
    connectTimeout: 5000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
    scripts: { takeOne: { lua: script, numberOfKeys: 1 } },
  })
  // Each failed call reports itself; without a listener the client would also write to the console.
  redis.on('error', () => undefined)
  await once(redis, 'ready', { signal: AbortSignal.timeout(firstConnectionMs) }).catch(() => undefined)

  return {
    async take(key, { max, windowSec }) {
      const [allowed, remaining, retryAfterUs] = await redis.takeOne(`chancery:limit:${key}`, max, windowSec)
      return { allowed: allowed === 1, remaining, retryAfterUs }
    },
    ping: () =>
      redis.ping().then(
        (answer) => answer === 'PONG',
        () => false,
      ),
    close: () => redis.disconnect(),
  }
}
