import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '#test/harness/any-text.ts'
import { isCommonPassword } from './common-passwords.ts'

describe('a common password', () => {
  it.each([
    'password',
    'PASSWORD',
    'P@ssw0rd',
    'passw0rd!!',
    '123password',
    'Summer2026',
    'Welcome1!',
    'administrator',
    'qwertz123',
    'asdfghjkl',
    '12345678',
    '87654321',
    '1234567890',
    '11111111',
    'abababab',
    'abcdefgh',
    'iloveyou!',
    'letmein123',
    'changeme',
    '!!!admin!!!',
  ])('is %s', (password) => expect(isCommonPassword(password)).toBe(true))

  it.each([
    'correct horse battery staple',
    'passwordless is the future',
    'a perfectly fine passphrase',
    'x8Kq2-vTz91',
    'My summer in Lisbon 2026',
    '🦊🐙🦉🐝🦋🐢🦄🐳',
    'ἀνερρίφθω κύβος',
    'aaaaaaaaaaaaaaaaaaaaaaaaa',
    'rosebud-kiln-47',
  ])('is not %s', (password) => expect(isCommonPassword(password)).toBe(false))

  it('stays common with the usual ornaments around it, in any case', () => {
    const ornament = fc.string({ unit: fc.constantFrom('1', '2', '0', '!', '?', '#', ' ', '.'), maxLength: 6 })
    fc.assert(
      fc.property(ornament, ornament, fc.boolean(), (before, after, shout) => {
        const word = `${before}sunshine${after}`
        expect(isCommonPassword(shout ? word.toUpperCase() : word)).toBe(true)
      }),
    )
  })

  it('is judged quickly and without fault for any text', () => {
    fc.assert(fc.property(anyText({ maxLength: 300 }), (text) => void isCommonPassword(text)))
  })
})
