import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeExpiresAt, isOpen, isRenewable, secondsUntilResend } from './otp.ts'

const start = new Date('2026-01-01T00:00:00Z')
const at = (seconds: number): Date => new Date(start.getTime() + seconds * 1000)
const fresh = { failures: 0, codeSentAt: start, expiresAt: codeExpiresAt(start), usedAt: null, createdAt: start }

describe('a code', () => {
  it('may be tried until its five minutes are over', () => {
    expect(isOpen(fresh, at(299.999))).toBe(true)
    expect(isOpen(fresh, at(300))).toBe(false)
  })

  it('may be tried until the fifth failure, and not after it was used', () => {
    expect(isOpen({ ...fresh, failures: 4 }, start)).toBe(true)
    expect(isOpen({ ...fresh, failures: 5 }, start)).toBe(false)
    expect(isOpen({ ...fresh, usedAt: start }, start)).toBe(false)
  })

  it('may be replaced when it has expired, for half an hour, but not when it was used or guessed away', () => {
    expect(isRenewable(fresh, at(301))).toBe(true)
    expect(isRenewable(fresh, at(1799))).toBe(true)
    expect(isRenewable(fresh, at(1800))).toBe(false)
    expect(isRenewable({ ...fresh, failures: 5 }, start)).toBe(false)
    expect(isRenewable({ ...fresh, usedAt: start }, start)).toBe(false)
  })

  it('is followed by another after a minute, in whole seconds and never negative', () => {
    expect([0, 0.5, 59, 59.9, 60, 1000].map((seconds) => secondsUntilResend(fresh, at(seconds)))).toEqual([
      60, 60, 1, 1, 0, 0,
    ])
    fc.assert(
      fc.property(fc.nat(100_000), (seconds) => {
        const wait = secondsUntilResend(fresh, at(seconds))
        expect(secondsUntilResend(fresh, at(seconds + wait))).toBe(0)
      }),
    )
  })
})
