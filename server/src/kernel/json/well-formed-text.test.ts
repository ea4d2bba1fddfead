import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertStorableText } from './well-formed-text.ts'

const refused = (value: unknown, code: string) =>
  expect(() => assertStorableText(value)).toThrowError(expect.objectContaining({ code }))

describe('text that can be stored', () => {
  it.each([
    ['a NUL in a string', { a: 'x\0y' }],
    ['a NUL in a key', { 'x\0y': 1 }],
    ['a high surrogate alone', ['\ud800']],
    ['a low surrogate alone, deep inside', { a: [{ b: ['ok', { c: '\udc00!' }] }] }],
    ['a lone surrogate in a key', { a: { '\udfff': null } }],
    ['a bare string', '\0'],
  ])('refuses %s', (_name, value) => refused(value, 'invalid_text'))

  it('accepts other alphabets, emoji and control characters that PostgreSQL can hold', () => {
    const value = { naïve: ['日本語', '👩‍🚀', '\u0001\t\n'], n: 1, b: true, nothing: null }
    expect(() => assertStorableText(value)).not.toThrow()
  })

  it('accepts 200 levels and refuses 201, and does not overflow on a hundred thousand', () => {
    const nested = (levels: number) => {
      let value: unknown = 'core'
      for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value }
      return value
    }
    expect(() => assertStorableText(nested(200))).not.toThrow()
    refused(nested(201), 'invalid_request')
    refused(nested(100_000), 'invalid_request')
  })

  it('finds one bad character wherever it stands', () => {
    const well = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0'))
    const bad = fc.tuple(
      well,
      fc.constantFrom('\0', '\ud83d', '\ude00'),
      well.filter((text) => !/^[\ud800-\udfff]/.test(text)),
    )
    fc.assert(
      fc.property(
        fc.array(well),
        bad,
        fc.array(well),
        fc.boolean(),
        (before, [left, character, right], after, asKey) => {
          expect(() => assertStorableText([...before, ...after])).not.toThrow()
          const text = `${left} ${character} ${right}`
          refused([...before, asKey ? { [text]: 1 } : { deep: [text] }, ...after], 'invalid_text')
        },
      ),
    )
  })
})
