import { expect, it } from 'vitest'
import { isNearLimit, limitWords, quotaTitle } from './quota-words.ts'

it('a quota says what it counts, and over which time', () => {
  expect(quotaTitle({ what: 'events published', kind: 'rate', windowSec: 60 })).toBe('Events published in a minute')
  expect(quotaTitle({ what: 'collections', kind: 'amount', windowSec: null })).toBe('Collections')
})

it('0 is no limit, and never near it', () => {
  expect(limitWords(0)).toBe('No limit')
  expect(limitWords(100_000)).toBe('100,000')
  expect(isNearLimit({ used: 5, most: 0 })).toBe(false)
  expect(isNearLimit({ used: 90, most: 100 })).toBe(true)
  expect(isNearLimit({ used: null, most: 1 })).toBe(false)
})
