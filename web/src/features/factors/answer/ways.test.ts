import { describe, expect, it } from 'vitest'
import { proofWays, usableWays } from './ways.ts'

const factor = (kind: 'totp' | 'passkey' | 'email') => ({ id: kind, kind, name: '', createdAt: '', lastUsedAt: null })
const list = (...kinds: Parameters<typeof factor>[0][]) => ({ factors: kinds.map(factor), recoveryCodesLeft: 4 })

describe('the ways to show again who one is', () => {
  it.each([
    ['the password, where nothing else was set up', list(), true, ['password']],
    ['the password, where only codes are emailed', list('email'), true, ['password']],
    ['a passkey first', list('totp', 'passkey'), true, ['passkey', 'totp', 'recovery']],
    ['no passkey in a browser that has none', list('totp', 'passkey'), false, ['totp', 'recovery']],
    ['no recovery code where none is left', { ...list('totp'), recoveryCodesLeft: 0 }, true, ['totp']],
  ])('are %s', (_, account, canUsePasskeys, ways) => {
    expect(proofWays(account, canUsePasskeys)).toEqual(ways)
  })
})

it('offers a passkey to a browser that has none only if there is no other way', () => {
  expect(usableWays(['passkey', 'recovery'], false)).toEqual(['recovery'])
  expect(usableWays(['passkey'], false)).toEqual(['passkey'])
})
