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
})
