import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFlood } from './flood.ts'

it('lets a burst through and refuses what follows at the same moment', () => {
  const flood = createFlood()
  const answers = Array.from({ length: 300 }, () => flood.admits(10, 1000))
  expect(answers.filter(Boolean)).toHaveLength(200)
})

it('never refuses a client that keeps to the pace, however long', () => {
  const flood = createFlood()
  const answers = Array.from({ length: 50_000 }, (_, packet) => flood.admits(100, packet * 20))
  expect(answers).not.toContain(false)
})

it('weighs large packets: a megabyte now and then passes, a stream of them does not', () => {
  const flood = createFlood()
  const megabytes = (nowMs: number) => Array.from({ length: 4 }, () => flood.admits(1_000_000, nowMs))
  expect(megabytes(0)).toEqual([true, true, true, false])
  expect(flood.admits(1_000_000, 10_000)).toBe(true)
})

it('never admits more than the burst and what has been refilled', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 400 }), (gaps) => {
      const flood = createFlood()
      let nowMs = 0
      let admitted = 0
      for (const gap of gaps) {
        nowMs += gap
        if (flood.admits(0, nowMs)) admitted += 1
      }
      expect(admitted).toBeLessThanOrEqual(200 + nowMs / 20)
    }),
  )
})
