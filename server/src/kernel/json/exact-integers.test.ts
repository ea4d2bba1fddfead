import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactly } from './exact-integers.ts'

describe('JSON with long integers', () => {
  it('is written with the digits it was read with, wherever they are in the text', () => {
    const value = fc.jsonValue({ depthSize: 'small' })
    fc.assert(
      fc.property(fc.bigInt(), value, fc.string(), (integer, beside, name) => {
        const text = JSON.stringify({ [`x${name}`]: [integer, beside, { deep: -integer }] })
        expect(JSON.stringify(parseExactly(text))).toBe(text)
      }),
    )
  })

  it('has plain numbers for all that a number can hold, and bigints for the rest', () => {
    const read = parseExactly('[9007199254740991,9007199254740993,1e21,0.1234567890123456,100000000000000000000]')
    expect(read).toEqual([9007199254740991, 9007199254740993n, 1e21, 0.1234567890123456, 1e20])
  })

  it('is refused where JSON is, however long the number', () => {
    const long = '12345678901234567890'
    for (const text of [`{${long}:1}`, `{${long} \n :1}`, `[0${long}]`, `[${long}a]`, `[-]`, `[1${long}`, `"${long}`])
      expect(() => parseExactly(text), text).toThrow(SyntaxError)
  })

  it('leaves texts and names alone that look like integers', () => {
    const value = {
      '12345678901234567890': '12345678901234567890',
      'a"12345678901234567890': ['\\"-12345678901234567890'],
    }
    expect(parseExactly(JSON.stringify(value))).toEqual(value)
    expect(parseExactly('{"__proto__":12345678901234567890}')).toHaveProperty(['__proto__'], 12345678901234567890n)
  })

  it('reads every other number as always', () => {
    const text = '[1.12345678901234567890,1234567890123456789e5,-12345678901234567890.5,1e400]'
    expect(parseExactly(text)).toEqual(JSON.parse(text))
  })
})
