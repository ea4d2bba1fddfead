import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountWaitMs, addressWaitMs, pairLockMs } from './login-delays.ts'

const rules = { pairLockMs, accountWaitMs, addressWaitMs }
const longest = { pairLockMs: 15 * 60_000, accountWaitMs: 5000, addressWaitMs: 2000 }

describe.each(Object.entries(rules))('%s', (name, rule) => {
  it('grows with the failures, never shrinks, is finite and ends at its ceiling', () => {
    const ceiling = longest[name as keyof typeof longest]
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1000), (failures, more) => {
        const [now, later] = [rule(failures), rule(failures + more)]
        expect(now).toBeGreaterThanOrEqual(0)
        expect(later).toBeGreaterThanOrEqual(now)
        expect(later).toBeLessThanOrEqual(ceiling)
      }),
    )
    expect(rule(0)).toBe(0)
    expect(rule(1_000_000)).toBe(ceiling)
  })
})

describe('the delays', () => {
  it('begin after five failures at one account from one address, and double', () => {
    expect([4, 5, 6, 7, 14, 15].map((failures) => pairLockMs(failures))).toEqual([
      0, 1000, 2000, 4000, 512_000, 900_000,
    ])
    expect([19, 20, 21].map((failures) => pairLockMs(failures, 'network'))).toEqual([0, 1000, 2000])
  })

  it('begin after twenty failures at one account from anywhere', () => {
    expect([19, 20, 21, 26].map(accountWaitMs)).toEqual([0, 100, 200, 5000])
  })

  it('begin late for an address that many share', () => {
    expect([299, 300, 325, 350].map((failures) => addressWaitMs(failures))).toEqual([0, 50, 100, 200])
    expect([1199, 1200, 1225].map((failures) => addressWaitMs(failures, 'network'))).toEqual([0, 50, 100])
  })
})
