import { describe, expect, it } from 'vitest'
import { createPurses } from './purses.ts'

describe('a purse', () => {
  it('is charged, comes back with time, and owes no more than its most', () => {
    let nowMs = 0
    const purses = createPurses({ fullMs: 50, refillMsPerSec: 10, maxDebtMs: 100 }, () => nowMs)
    purses.charge('a', 30)
    expect([purses.leftMs('a'), purses.leftMs('b')]).toEqual([20, 50])
    nowMs = 1000
    expect(purses.leftMs('a')).toBe(30)
    purses.charge('a', 1000)
    expect(purses.leftMs('a')).toBe(-100)
    nowMs = 60_000
    expect(purses.leftMs('a')).toBe(50)
  })
})
