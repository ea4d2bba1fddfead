import { expect, it } from 'vitest'
import { figuresOf, findLost, findSlow, gaveUp, type Sample } from './judge.ts'

const samples = (...times: number[]): Sample[] => times.map((ms) => ({ ms }))

it('a victim may take twice as long as when it is quiet, and the noise of the machine', () => {
  const quiet = figuresOf(samples(100, 100, 100))
  expect(findSlow('chat', quiet, figuresOf(samples(450, 450, 9000)))).toEqual([])
  expect(findSlow('chat', quiet, figuresOf(samples(10, 451, 451)))).toEqual(['chat: 451 ms, when quiet 100 ms'])
})

it('nothing may be lost, however fast the rest was, and what failed is no time', () => {
  const quiet = figuresOf(samples(100))
  const failed = figuresOf([...samples(100, 110), { ms: 1, problem: '503' }, { ms: 1, problem: '503' }])
  expect(failed).toMatchObject({ count: 4, median: 110, worst: 110 })
  expect(findSlow('run', quiet, failed)).toEqual([])
  expect(findLost('run', failed)).toEqual(['run: 2 of 4 failed: 503'])
})

it('a victim of which nothing succeeded is slow, and has lost nothing where it only gave up', () => {
  const dead = figuresOf([{ ms: 1, problem: gaveUp }])
  expect(findSlow('run', figuresOf(samples(5)), dead)).toHaveLength(2)
  expect(findLost('run', dead)).toEqual([])
})
