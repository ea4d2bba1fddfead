import { describe, expect, it } from 'vitest'
import { dayIn, isSigningDay } from './signing-day.ts'

const date = { type: 'DATE', label: null, rules: {}, filledBy: null } as const

describe('a date field', () => {
  it('is of the signing day unless it asks for something, holds the sender’s date, or says otherwise', () => {
    expect(isSigningDay(date)).toBe(true)
    expect(isSigningDay({ ...date, label: 'Born on' })).toBe(false)
    expect(isSigningDay({ ...date, label: 'Date', rules: { signingDay: true } })).toBe(true)
    expect(isSigningDay({ ...date, rules: { signingDay: false } })).toBe(false)
    expect(isSigningDay({ ...date, filledBy: 'SENDER' })).toBe(false)
    expect(isSigningDay({ ...date, type: 'TEXT' })).toBe(false)
  })

  it('has the day that the signer’s calendar shows', () => {
    const now = new Date('2026-11-18T23:30:00Z')
    expect(dayIn(now, null)).toBe('2026-11-18')
    expect(dayIn(now, 'Europe/Berlin')).toBe('2026-11-19')
    expect(dayIn(now, 'America/Los_Angeles')).toBe('2026-11-18')
  })
})
