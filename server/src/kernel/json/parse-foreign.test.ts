import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { costOf, maxParts, parseForeign, parsePiece } from './parse-foreign.ts'

const partsOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const fields = Object.values(value)
  return 1 + Math.max(0, fields.length - 1) + fields.reduce<number>((sum, one) => sum + partsOf(one), 0)
}
/** Not fewer than there are. */
const namesIn = (text: string): number => text.split(':').length - 1
const refusal = (code: string) => expect.objectContaining({ name: 'AppError', code })

describe('JSON that somebody else wrote', () => {
  it('is measured by its parts, whatever its texts hold', () => {
    const value = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' })
    const spaces = fc.constantFrom(0, 1, '\t')
    fc.assert(
      fc.property(value, spaces, (one, space) => {
        const text = JSON.stringify(one, null, space)
        const cost = costOf(text, 1e9)
        expect(cost).toBeGreaterThanOrEqual(partsOf(one))
        expect(cost).toBeLessThanOrEqual(partsOf(one) + text.length / 4 + 8 * namesIn(text))
      }),
    )
    fc.assert(
      fc.property(fc.array(fc.constantFrom('"', '\\', ',', '[', '{', 'a')), (letters) => {
        const text = letters.join('')
        const escapes = letters.filter((one) => one === '"' || one === '\\').length
        expect(costOf(JSON.stringify([text, text]), 1e9)).toBe(2 + Math.floor(escapes / 2))
      }),
    )
  })

  it('is read as it is when it has no more than is allowed', () => {
    const value = fc.jsonValue()
    fc.assert(
      fc.property(value, (one) => {
        const text = JSON.stringify(one)
        expect(JSON.stringify(parseForeign(text))).toBe(text)
      }),
    )
    expect(parseForeign('{"id":123456789012345678901}', { exactly: true })).toEqual({ id: 123456789012345678901n })
    expect(() => parseForeign('{"a":')).toThrow(SyntaxError)
  })

  it.each([
    ['lists', '[],'],
    ['objects', '{"a":{}},'],
    ['numbers', '1,'],
    ['empty texts', '"",'],
    ['spaces', ' '.repeat(17)],
    ['digits', '12345678901234567'],
    ['escapes', `"${'\\n'.repeat(5)}",`],
  ])('is refused before it is read when it has too many %s', (_name, part) => {
    const text = `[${part.repeat(maxParts)}0`
    // It isn't even valid, which nobody has found out.
    expect(() => parseForeign(text)).toThrow(refusal('outbound_too_large'))
    expect(() => parseForeign(text, { tooLarge: 'body_too_large' })).toThrow(refusal('body_too_large'))
    expect(costOf(text, 100)).toBeLessThan(200)
  })

  it('that is short has no more parts than its length allows, so that they need not be counted', () => {
    const value = fc.jsonValue({ maxDepth: 5, stringUnit: fc.constantFrom('a', 'ü', '"', String.fromCharCode(10)) })
    const names = fc.dictionary(fc.string({ minLength: 1, maxLength: 2 }), fc.constantFrom(0, '', []))
    fc.assert(
      fc.property(fc.oneof(value, names), (one) => {
        const text = JSON.stringify(one)
        expect(costOf(text, 1e9)).toBeLessThanOrEqual(2 * text.length)
      }),
    )
    const letters = Array.from({ length: 3000 }, (_, n) => String.fromCharCode(0x4e00 + n))
    const densest = JSON.stringify(Object.fromEntries(letters.map((letter) => [letter, 0])))
    expect(costOf(densest, 1e9)).toBeLessThanOrEqual(2 * densest.length)
  })

  it('may have many fields with the same names, but not many names', () => {
    const same = JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id, name: 'x' })))
    expect(parseForeign(same)).toHaveLength(50_000)
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 25_000 }, (_, n) => [`name ${n}`, n])))
    expect(() => parseForeign(many)).toThrow(refusal('outbound_too_large'))
    const long = JSON.stringify(Array.from({ length: 25_000 }, () => ({ ['x'.repeat(100)]: 1 })))
    expect(() => parseForeign(long)).toThrow(refusal('outbound_too_large'))
  })

  it('is refused when it is nested too deeply', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(parseForeign(deep(500))).toBeInstanceOf(Array)
    expect(() => parseForeign(deep(501))).toThrow(refusal('outbound_too_large'))
    expect(() => parseForeign(deep(501), { tooDeep: 'invalid_request' })).toThrow(refusal('invalid_request'))
  })
})

it('a piece of a reply has far fewer parts than a whole one', () => {
  expect(parsePiece('{"choices":[]}')).toEqual({ choices: [] })
  expect(parsePiece('{"choices":')).toBeUndefined()
  expect(parsePiece(`[${'{},'.repeat(15_000)}0]`)).toBeUndefined()
})
