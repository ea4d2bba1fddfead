import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHeaderCheck, equalsInConstantTime, hashToken, macOf, randomDigits, randomToken } from './tokens.ts'

describe('tokens', () => {
  it('are URL-safe, of the asked length, and never the same', () => {
    const tokens = Array.from({ length: 200 }, () => randomToken())
    expect(new Set(tokens).size).toBe(200)
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
    expect(Buffer.from(randomToken(18), 'base64url')).toHaveLength(18)
  })

  it('are kept as their SHA-256', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

describe('random digits', () => {
  it('have the asked length and use every digit at every position', () => {
    const codes = Array.from({ length: 600 }, () => randomDigits(6))
    for (const code of codes) expect(code).toMatch(/^\d{6}$/)
    for (let position = 0; position < 6; position++) expect(new Set(codes.map((code) => code[position])).size).toBe(10)
  })
})

describe('a message authentication code', () => {
  it('differs by secret, purpose and value, and is stable', () => {
    const macs = [
      macOf('secret', 'otp', '123456'),
      macOf('secret', 'reset', '123456'),
      macOf('secret', 'otp', '123457'),
      macOf('other', 'otp', '123456'),
    ]
    expect(new Set(macs).size).toBe(4)
    expect(macOf('secret', 'otp', '123456')).toBe(macs[0])
  })

  it('cannot be moved over the border between purpose and value', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, at) => {
        const cut = at % text.length
        expect(macOf('secret', text.slice(0, cut), text.slice(cut))).not.toBe(macOf('secret', text, ''))
      }),
    )
  })
})

describe('comparing in constant time', () => {
  const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units))

  it('agrees with === for strings of any length', () => {
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        expect(equalsInConstantTime(left, right)).toBe(left === right)
        expect(equalsInConstantTime(left, `${left}`)).toBe(true)
        expect(equalsInConstantTime(left, `${left}x`)).toBe(false)
      }),
    )
  })

  it('tells two broken texts apart that UTF-8 would make equal', () => {
    expect(equalsInConstantTime('\ud800', '\ud801')).toBe(false)
  })
})

describe('a header check', () => {
  it('knows its secret from everything near it', () => {
    const isKey = createHeaderCheck('a secret of some length')
    expect(isKey('a secret of some length')).toBe(true)
    for (const other of ['', 'a', 'a secret of some lengt', 'a secret of some length ', 'A secret of some length'])
      expect(isKey(other)).toBe(false)
    expect(isKey(`a secret of some length${'\0'.repeat(600)}`)).toBe(false)
  })

  it('takes long secrets, and those beyond ASCII as their bytes arrive', () => {
    const long = 'x'.repeat(2000)
    expect([createHeaderCheck(long)(long), createHeaderCheck(long)(`${long}x`)]).toEqual([true, false])
    const asHeader = Buffer.from('schlüssel').toString('latin1')
    expect(createHeaderCheck('schlüssel')(asHeader)).toBe(true)
  })
})
