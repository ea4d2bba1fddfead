import { describe, expect, it } from 'vitest'
import { daysOf, rangeOf, readRange, spanOf } from './day-range.ts'

const now = new Date('2026-03-02T23:30:00Z')

describe('a date range', () => {
  it('includes today as its last day', () => {
    expect(rangeOf({ days: 7 }, now)).toEqual({ from: '2026-02-24', to: '2026-03-02' })
    expect(daysOf(rangeOf({ days: 7 }, now))).toHaveLength(7)
  })

  it('defaults to thirty days', () => {
    expect(spanOf(readRange({}))).toBe(30)
  })

  it('reads two dates from the URL and ignores invalid ones', () => {
    expect(readRange({ from: '2026-01-31', to: '2026-02-01' })).toEqual({ from: '2026-01-31', to: '2026-02-01' })
    for (const bad of [
      { from: '2026-02-30', to: '2026-03-01' },
      { from: '2026-02-02', to: '2026-02-01' },
      { from: '0001-01-01', to: '9999-12-31' },
      { from: 'yesterday', to: 'today' },
      { days: '99999' },
    ])
      expect(readRange(bad)).toEqual({})
  })
})
