import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '#test/harness/any-text.ts'
import { childOf, comparableDn, escapeRdnValue, isSameDn, parseDn } from './dn.ts'

/** Text that can be sent at all: no halves of surrogate pairs. */
const shortText = anyText({ minLength: 1, maxLength: 40 })
const nastyText = fc.string({
  unit: fc.constantFrom(...'\\"+,;<>=# \0\n', 'a', 'é', '🦊'),
  minLength: 1,
  maxLength: 20,
})

describe('a value in a distinguished name', () => {
  it.each([
    ['Acme, Inc.', 'Acme\\2c Inc.'],
    ['#1', '\\231'],
    [' both ', '\\20both\\20'],
    [' ', '\\20'],
    ['a\0b', 'a\\00b'],
    ['Müller', 'Müller'],
    ['Acme, "R&D" + <Labs>; #1=\\x', 'Acme\\2c \\22R&D\\22 \\2b \\3cLabs\\3e\\3b #1\\3d\\5cx'],
  ])('%j is written %s', (value, written) => expect(escapeRdnValue(value)).toBe(written))

  it('comes back as it was, whatever it holds, and stays one level', () => {
    fc.assert(
      fc.property(fc.oneof(shortText, nastyText), (value) => {
        expect(parseDn(childOf('dc=example,dc=org', 'ou', value))).toEqual([
          [{ type: 'ou', value }],
          [{ type: 'dc', value: 'example' }],
          [{ type: 'dc', value: 'org' }],
        ])
      }),
    )
  })

  it('holds no character that a careless reader could split at', () => {
    fc.assert(
      fc.property(fc.oneof(shortText, nastyText), (value) => {
        expect(escapeRdnValue(value)).not.toMatch(/[,+"<>;=\0\n]/)
      }),
    )
  })
})

describe('reading a distinguished name', () => {
  it('understands what other programs write', () => {
    expect(parseDn('CN=Smith\\, John + uid = js ,OU=Caf\\C3\\A9')).toEqual([
      [
        { type: 'cn', value: 'Smith, John' },
        { type: 'uid', value: 'js' },
      ],
      [{ type: 'ou', value: 'Café' }],
    ])
    expect(parseDn('')).toEqual([])
  })

  it.each(['EXTERNAL', 'cn', 'cn=a,', ',cn=a', 'cn=a;cn=b', 'cn="a"', 'cn=\\', 'cn=\\zz', 'cn=\\ff', '=a', 'c n=a'])(
    'refuses %j',
    (text) => expect(parseDn(text)).toBeUndefined(),
  )

  it('never throws and always ends', () => {
    fc.assert(fc.property(anyText(), (text) => void parseDn(text)))
  })
})

describe('comparing distinguished names', () => {
  it.each([
    ['CN=Bosses, OU=Groups,dc=Example,DC=org', 'cn=bosses,ou=groups,dc=example,dc=org'],
    ['cn=A\\2cB,dc=x', 'cn=a\\,b,dc=x'],
    ['cn=a+uid=b,dc=x', 'uid=b+cn=a,dc=x'],
    ['cn=two  blanks', 'cn=two blanks'],
  ])('%s is %s', (left, right) => expect(isSameDn(left, right)).toBe(true))

  it.each([
    ['cn=a,dc=x', 'cn=a\\2cdc=x'],
    ['cn=a,dc=x', 'cn=a'],
    ['cn=a,cn=b', 'cn=b,cn=a'],
    ['nonsense', 'nonsense'],
  ])('%s is not %s', (left, right) => expect(isSameDn(left, right)).toBe(false))

  it('tells two levels from one that looks like two', () => {
    fc.assert(
      fc.property(nastyText, nastyText, (outer, inner) => {
        const two = comparableDn(childOf(`ou=${escapeRdnValue(outer)}`, 'ou', inner))
        const one = comparableDn(`ou=${escapeRdnValue(`${inner},ou=${outer}`)}`)
        expect(two).not.toBe(one)
      }),
    )
  })
})
