import { describe, expect, it } from 'vitest'
import { groupByDay } from './group-by-day.ts'

const now = new Date(2026, 2, 30, 0, 30)
const at = (...parts: [number, number, number, number?]) => ({ updated_at: new Date(...parts).getTime() / 1000 })
const labels = (...items: { updated_at: number }[]) => groupByDay(items, now).map(({ label }) => label)

describe('chats by day', () => {
  it('counts calendar days, not hours', () => {
    expect(labels(at(2026, 2, 30, 0), at(2026, 2, 29, 23))).toEqual(['Today', 'Yesterday'])
  })

  it('names weeks, then months, then months of other years', () => {
    expect(labels(at(2026, 2, 24), at(2026, 2, 10), at(2026, 1, 3), at(2025, 11, 31))).toEqual([
      'Previous 7 days',
      'Previous 30 days',
      'February',
      'December 2025',
    ])
  })

  it('treats a clock that runs ahead as today', () => {
    expect(labels(at(2026, 3, 2))).toEqual(['Today'])
  })

  it('keeps the given order', () => {
    const [group] = groupByDay([at(2026, 2, 30, 0), at(2026, 2, 30, 0)], now)
    expect(group?.items).toHaveLength(2)
  })
})
