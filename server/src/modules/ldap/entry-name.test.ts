import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryName } from './entry-name.ts'

describe('a name in the directory', () => {
  it('is composed, trimmed, and numbered from the second on', () => {
    expect(entryName('  Cafe\u0301 ')).toBe('Café')
    expect(entryName('Acme', 2)).toBe('Acme 2')
  })

  it.each(['', '   ', 'a\nb', 'a\0b', 'a\u0085b', '\ud800'])('does not exist for %j', (name) => {
    expect(entryName(name)).toBeUndefined()
  })

  it('fits into 64 bytes, is never blank, and cuts no character in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), fc.integer({ min: 1, max: 999 }), (name, number) => {
        const made = entryName(name, number)
        if (made === undefined) return
        expect(Buffer.byteLength(made)).toBeLessThanOrEqual(64)
        expect(made.isWellFormed()).toBe(true)
        expect(made.trim()).toBe(made)
        expect(made).not.toBe('')
      }),
    )
  })
})
