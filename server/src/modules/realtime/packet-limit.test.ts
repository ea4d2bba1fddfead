import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPacketLimit } from './packet-limit.ts'

it('lets a burst through and refuses what follows at the same moment', () => {
  const limit = createPacketLimit()
  const answers = Array.from({ length: 300 }, () => limit.allows(10, 1000))
  expect(answers.filter(Boolean)).toHaveLength(200)
})

it('never refuses a client that keeps to the pace, however long', () => {
  const limit = createPacketLimit()
  const answers = Array.from({ length: 50_000 }, (_, packet) => limit.allows(100, packet * 20))
  expect(answers).not.toContain(false)
})

it('weighs large packets: a megabyte now and then passes, a stream of them does not', () => {
  const limit = createPacketLimit()
  const megabytes = (nowMs: number) => Array.from({ length: 4 }, () => limit.allows(1_000_000, nowMs))
  expect(megabytes(0)).toEqual([true, true, true, false])
  expect(limit.allows(1_000_000, 10_000)).toBe(true)
})

it('never allows more than the burst and what has been refilled', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 400 }), (gaps) => {
      const limit = createPacketLimit()
      let nowMs = 0
      let authorized = 0
      for (const gap of gaps) {
        nowMs += gap
        if (limit.allows(0, nowMs)) authorized += 1
      }
      expect(authorized).toBeLessThanOrEqual(200 + nowMs / 20)
    }),
  )
})
