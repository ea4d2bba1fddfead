import { describe, expect, it } from 'vitest'
import { dayText, shownValue, today } from './day-text.ts'

describe('a date in a document', () => {
  it('is written as its readers write it', () => {
    expect(dayText('en', '2026-11-18')).toBe('November 18, 2026')
    expect(dayText('de', '2026-11-18')).toBe('18. November 2026')
    expect(shownValue('fr', 'DATE', '2026-11-18')).toBe('18 novembre 2026')
    expect(shownValue('fr', 'TEXT', '2026-11-18')).toBe('2026-11-18')
  })

  it('is today where the reader is', () => expect(today(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05'))
})
