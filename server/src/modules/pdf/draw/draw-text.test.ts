import { PDF } from '@libpdf/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextPen } from './draw-text.ts'

const pen = createTextPen(PDF.create())
const size = 10
const widthOf = (text: string): number => pen.widthOf(text, size) + 0.01

describe('lines of text', () => {
  it('break between words, and inside a word that is wider than the line', () => {
    expect(pen.wrap('one two three', size, widthOf('one two'))).toEqual(['one two', 'three'])
    expect(pen.wrap('abcdefgh', size, widthOf('abcde'))).toEqual(['abcde', 'fgh'])
  })

  it('never begin with what ends a sentence or a bracket', () => {
    expect(pen.wrap('one two.', size, widthOf('one two'))).toEqual(['one', 'two.'])
    expect(pen.wrap('文件已封存。完', size, widthOf('文件已封存'))).toEqual(['文件已', '封存。完'])
  })

  it('hold every character in order, and are no wider than they may be', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abc def。、()文件，. x'), maxLength: 80 })
    fc.assert(
      fc.property(text, fc.integer({ min: 12, max: 90 }), (whole, width) => {
        const lines = pen.wrap(whole, size, width)
        expect(lines.join('').replaceAll(' ', '')).toBe(whole.replaceAll(' ', ''))
        for (const line of lines) if ([...line].length > 1) expect(pen.widthOf(line, size)).toBeLessThanOrEqual(width)
      }),
    )
  })
})
