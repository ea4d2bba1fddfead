import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toDefinite } from './definite.ts'
import { integer, sequence } from './der.ts'
import { DerError } from './read-der.ts'

const open = (...parts: Buffer[]): Buffer => Buffer.concat([Buffer.from([0x30, 0x80]), ...parts, Buffer.alloc(2)])

describe('values with open ends', () => {
  it('read as the same values with lengths, and what follows them is not theirs', () => {
    const written = Buffer.concat([open(integer(1), open(integer(2))), Buffer.from('rest')])
    expect(toDefinite(written)).toEqual({
      der: sequence(integer(1), sequence(integer(2))),
      length: written.length - 4,
    })
    const closed = sequence(integer(1))
    expect(toDefinite(closed)).toEqual({ der: closed, length: closed.length })
  })

  it('are refused where the end is missing or they are too deep, whatever the bytes', () => {
    expect(() => toDefinite(open(integer(1)).subarray(0, -1))).toThrow(DerError)
    expect(() => toDefinite(Buffer.alloc(100, Buffer.from([0x30, 0x80])))).toThrow(DerError)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          expect(toDefinite(Buffer.from(bytes)).length).toBeLessThanOrEqual(bytes.length)
        } catch (problem) {
          expect(problem).toBeInstanceOf(DerError)
        }
      }),
    )
  })
})
