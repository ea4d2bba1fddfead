import { describe, expect, it } from 'vitest'
import { formatAmount } from './amounts.ts'

describe('an amount of money', () => {
  it.each([
    [1250, 'USD', '$1,250.00'],
    [0.125, 'EUR', '€0.13'],
    [0.5, 'USD', '$0.50'],
    [0.0375, 'USD', '$0.038'],
    [0.000_000_45, 'USD', '$0.00000045'],
    [0, 'USD', '$0.00'],
    [1250, 'JPY', '¥1,250'],
  ])('%d %s is formatted as %s', (amount, currency, text) => expect(formatAmount(amount, currency)).toBe(text))
})
