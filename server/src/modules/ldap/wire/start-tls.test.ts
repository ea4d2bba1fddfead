import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAnswer } from './start-tls.ts'

const answer = (id: number, code: number): Buffer =>
  Buffer.from([0x30, 0x0c, 0x02, 0x01, id, 0x78, 0x07, 0x0a, 0x01, code, 0x04, 0x00, 0x04, 0x00])

describe('the answer to a wish for TLS', () => {
  it('is a yes only when it is one, alone, and to this question', () => {
    expect(readAnswer(answer(1, 0))).toBe('yes')
    expect(readAnswer(answer(1, 2))).toBe('no')
    expect(readAnswer(answer(2, 0))).toBe('no')
  })

  it('is none while it is incomplete', () => {
    for (let length = 0; length < 14; length += 1)
      expect(readAnswer(answer(1, 0).subarray(0, length))).toBe('incomplete')
  })

  it('is a no when anything follows it, as bytes slipped in before the handshake would', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (more) => {
        expect(readAnswer(Buffer.concat([answer(1, 0), more]))).toBe('no')
      }),
    )
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readAnswer(Buffer.from(bytes))))
  })
})
