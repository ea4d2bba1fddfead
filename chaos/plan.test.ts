import { expect, it } from 'vitest'
import { makePlan } from './plan.ts'

const request = { seed: 7, nodes: 3, durationMs: 120_000 }

it('the same seed gives the same plan, and another seed another one', () => {
  expect(makePlan(request)).toEqual(makePlan(request))
  expect(makePlan({ ...request, seed: 8 })).not.toEqual(makePlan(request))
})

it('a node is never disturbed twice at the same time', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const { disturbances, skewsMs } = makePlan({ ...request, seed })
    expect(skewsMs.every((ms) => Math.abs(ms) <= 600_000)).toBe(true)
    for (const node of [0, 1, 2]) {
      const own = disturbances.filter((one) => one.node === node)
      for (const [index, { atMs, forMs }] of own.entries())
        expect(own[index + 1]?.atMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(atMs + forMs)
    }
  }
})
