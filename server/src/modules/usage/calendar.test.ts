import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, dayOf, daysBetween, monthStart, nextMonthStart, secondsUntil } from './calendar.ts'

const days = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => dayOf(date))

describe('the calendar of budgets', () => {
  it('knows leap years and the ends of months', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
    expect(nextMonthStart('2026-01-31')).toBe('2026-02-01')
    expect(nextMonthStart('2026-12-01')).toBe('2027-01-01')
    expect(secondsUntil('2026-01-02', new Date('2026-01-01T23:59:59.001Z'))).toBe(1)
  })

  it('puts the next month right after the last day of this one', () => {
    fc.assert(
      fc.property(days, (day) => {
        const next = nextMonthStart(day)
        expect(next > day && next.endsWith('-01')).toBe(true)
        expect(monthStart(addDays(next, -1))).toBe(monthStart(day))
      }),
    )
  })

  it('counts every day of a range once, in order', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 500 }), (from, length) => {
        const range = daysBetween(from, addDays(from, length))
        expect(range).toHaveLength(length + 1)
        expect([...new Set(range)].sort()).toEqual(range)
      }),
    )
  })
})
