import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spend } from './gcra.ts'

const rates = fc.record({ max: fc.integer({ min: 1, max: 500 }), windowSec: fc.integer({ min: 1, max: 86_400 }) })
const start = Date.UTC(2026, 0, 1) * 1000

describe('the arithmetic of a rate limit', () => {
  it('grants exactly the allowance at once, counting down to nothing, and refuses the next', () => {
    fc.assert(
      fc.property(rates, (rate) => {
        let debt: number | undefined
        const granted = Array.from({ length: rate.max }, () => {
          const { paidOffAtUs, ...spending } = spend(debt, start, rate)
          debt = paidOffAtUs
          return spending
        })
        expect(granted).toEqual(
          granted.map((_, index) => ({ allowed: true, remaining: rate.max - 1 - index, retryAfterUs: 0 })),
        )
        expect(spend(debt, start, rate).allowed).toBe(false)
      }),
    )
  })

  it('never grants more than the allowance plus what the passed time has paid off', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 60_000_000 }), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(rates, pauses, (rate, gaps) => {
        let debt: number | undefined
        let nowUs = start
        let granted = 0
        for (const gap of gaps) {
          nowUs += gap
          const spending = spend(debt, nowUs, rate)
          debt = spending.paidOffAtUs
          if (spending.allowed) granted += 1
        }
        const paidOff = (nowUs - start) / Math.floor((rate.windowSec * 1_000_000) / rate.max)
        expect(granted).toBeLessThanOrEqual(rate.max + Math.floor(paidOff))
      }),
    )
  })

  it('keeps its word: a refused call is granted after the time it named, and not before', () => {
    fc.assert(
      fc.property(rates, fc.double({ min: 0, max: 1, noNaN: true }), (rate, elapsed) => {
        const full = start + rate.windowSec * 1_000_000
        const nowUs = start + Math.floor(elapsed * ((rate.windowSec * 1_000_000) / rate.max) * 0.9)
        const refused = spend(full, nowUs, rate)
        expect(refused.allowed).toBe(false)
        expect(spend(refused.paidOffAtUs, nowUs + refused.retryAfterUs, rate).allowed).toBe(true)
        expect(spend(refused.paidOffAtUs, nowUs + refused.retryAfterUs - 1, rate).allowed).toBe(false)
      }),
    )
  })

  it('does not prolong the wait of a caller who keeps hammering', () => {
    const rate = { max: 1, windowSec: 60 }
    let debt = spend(undefined, start, rate).paidOffAtUs
    for (let call = 0; call < 100; call++) debt = spend(debt, start + 1_000_000, rate).paidOffAtUs

    expect(spend(debt, start + 1_000_000, rate).retryAfterUs).toBe(59_000_000)
    expect(spend(debt, start + 60_000_000, rate).allowed).toBe(true)
  })
})
