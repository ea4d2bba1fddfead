/** What is said to fit when it is entered is not cut off in the sealed file. */
import { PDF } from '@libpdf/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextPen } from '../draw-text.ts'
import { fits, lineHeight, smallestSize, widthLeft } from './fits.ts'

const pen = createTextPen(PDF.create())
const letters = fc.constantFrom(...'abW.i 1\n', 'ß', 'Ω', 'Ж', '张', '위', 'や', 'ש', 'م', 'ح', 'لا', ' ')
const texts = fc.array(letters, { maxLength: 300 }).map((parts) => parts.join(''))
const boxes = fc.record({
  width: fc.double({ min: 8, max: 120, noNaN: true }),
  height: fc.double({ min: 4, max: 40, noNaN: true }),
})

describe('a text that fits its field', () => {
  it('is drawn within it, in every script', () => {
    const counts = { fits: 0, other: 0 }
    fc.assert(
      fc.property(texts, boxes, (text, box) => {
        const size = Math.min(smallestSize, box.height / lineHeight)
        const lines = pen.wrap(text, size, widthLeft(box))
        const isInside = lines.length * size * lineHeight <= box.height + 1e-6
        if (fits(text, box)) {
          counts.fits += 1
          expect(isInside).toBe(true)
        } else counts.other += 1
        // A single letter may be wider than a box; longer lines never are.
        for (const line of lines)
          if ([...line.trim()].length > 2) expect(pen.widthOf(line.trimEnd(), size)).toBeLessThan(widthLeft(box) * 1.02)
      }),
      { numRuns: 300 },
    )
    expect(Math.min(counts.fits, counts.other)).toBeGreaterThan(10)
  })

  it('may be long in a large field, and is refused in a small one', () => {
    const text = 'Nineteen hundred letters, which once ran over the contract and another signature. '.repeat(23)
    expect(fits(text, { width: 400, height: 200 })).toBe(true)
    expect(fits(text, { width: 100, height: 20 })).toBe(false)
    expect(fits('Bob', { width: 20, height: 3 })).toBe(true)
  })
})
