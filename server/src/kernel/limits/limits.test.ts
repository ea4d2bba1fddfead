import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { startRedis } from '#test/peers/redis.ts'
import { type Clock, systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { createLimits, type Limits } from './limits.ts'

const limit = { max: 3, windowSec: 60 }
const open: { close(): void }[] = []
const peers: { stop(): Promise<void> }[] = []

afterEach(async () => {
  for (const limits of open.splice(0)) limits.close()
  for (const peer of peers.splice(0)) await peer.stop()
})

const limitsWith = async (options: { redisUrl?: string; clock?: Clock; restMs?: number } = {}) => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const limits = await createLimits({ clock: systemClock, ...options, log })
  open.push(limits)
  return { limits, lines }
}

const redisPeer = async (port?: number) => {
  const peer = await startRedis(port)
  peers.push(peer)
  return peer
}

const takeMany = async (limits: Limits, key: string, times: number) => {
  const allowed: boolean[] = []
  for (let call = 0; call < times; call++) allowed.push((await limits.take(key, limit)).allowed)
  return allowed
}

describe('a limit without Redis', () => {
  it('grants the allowance, then refuses with the seconds to wait, and grants again when they have passed', async () => {
    let nowMs = Date.UTC(2026, 0, 1)
    const { limits } = await limitsWith({ clock: { now: () => new Date(nowMs) } })

    expect(await limits.take('sign-in:ana', limit)).toEqual({ allowed: true, remaining: 2, retryAfterSec: 0 })
    await takeMany(limits, 'sign-in:ana', 2)
    expect(await limits.take('sign-in:ana', limit)).toEqual({ allowed: false, remaining: 0, retryAfterSec: 20 })
    nowMs += 20_000
    expect(await limits.take('sign-in:ana', limit)).toEqual({ allowed: true, remaining: 0, retryAfterSec: 0 })
  })

  it('counts each key for itself and is always ready', async () => {
    const { limits } = await limitsWith()
    await takeMany(limits, 'sign-in:ana', 4)

    expect(await limits.take('sign-in:ben', limit)).toMatchObject({ allowed: true })
    expect(await limits.ping()).toBe(true)
  })
})

describe('a limit with Redis', () => {
  it('is shared by two nodes, answers as the memory does and leaves no key for ever', async () => {
    const peer = await redisPeer()
    const one = await limitsWith({ redisUrl: peer.url })
    const two = await limitsWith({ redisUrl: peer.url })

    expect(await one.limits.take('sign-in:ana', limit)).toEqual({ allowed: true, remaining: 2, retryAfterSec: 0 })
    expect(await two.limits.take('sign-in:ana', limit)).toEqual({ allowed: true, remaining: 1, retryAfterSec: 0 })
    expect(await one.limits.take('sign-in:ana', limit)).toEqual({ allowed: true, remaining: 0, retryAfterSec: 0 })
    expect(await two.limits.take('sign-in:ana', limit)).toEqual({ allowed: false, remaining: 0, retryAfterSec: 20 })
    expect(await one.limits.ping()).toBe(true)

    const { Redis } = await import('ioredis')
    const redis = new Redis(peer.url)
    open.push({ close: () => redis.disconnect() })
    const ttlMs = await redis.pttl('chancery:limit:sign-in:ana')
    expect(ttlMs).toBeGreaterThan(0)
    expect(ttlMs).toBeLessThanOrEqual(60_000)
  })

  it('grants exactly the allowance when two nodes are hammered at once', async () => {
    const peer = await redisPeer()
    const nodes = [await limitsWith({ redisUrl: peer.url }), await limitsWith({ redisUrl: peer.url })]
    const calls = Array.from({ length: 100 }, (_, index) =>
      nodes[index % 2]?.limits.take('otp', { max: 7, windowSec: 900 }),
    )

    const granted = (await Promise.all(calls)).filter((allowance) => allowance?.allowed)
    expect(granted).toHaveLength(7)
  })

  it('counts for itself when Redis is not there, and says so once', async () => {
    const peer = await redisPeer()
    await peer.stop()
    const { limits, lines } = await limitsWith({ redisUrl: peer.url })

    expect(await takeMany(limits, 'sign-in:ana', 4)).toEqual([true, true, true, false])
    expect(lines.filter((line) => line.includes('Redis does not answer'))).toHaveLength(1)
    expect(await limits.ping()).toBe(false)
  })

  it('goes on while Redis hangs, and shares again once it is back', async () => {
    const peer = await redisPeer()
    const { limits, lines } = await limitsWith({ redisUrl: peer.url, restMs: 100 })
    await limits.take('sign-in:ana', limit)
    await peer.freeze()

    expect(await takeMany(limits, 'sign-in:ana', 4)).toEqual([true, true, true, false])
    expect(lines.filter((line) => line.includes('Redis does not answer'))).toHaveLength(1)

    peer.thaw()
    for (let tries = 0; tries < 250 && !lines.some((line) => line.includes('answers again')); tries++) {
      await limits.take('sign-in:ben', { max: 1000, windowSec: 60 })
      await sleep(20)
    }
    expect(lines.filter((line) => line.includes('answers again'))).toHaveLength(1)
  })
})
