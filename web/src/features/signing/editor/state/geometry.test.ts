import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aligned, type Box, boxBetween, insidePage, limitMove, moved, overlaps, resized, snap } from './geometry.ts'

const box = (x: number, y: number, width = 0.2, height = 0.1): Box => ({ x, y, width, height })
const part = fc.double({ min: 0, max: 1, noNaN: true })
const anyBox = fc
  .tuple(part, part, fc.double({ min: 0.01, max: 1, noNaN: true }), fc.double({ min: 0.01, max: 1, noNaN: true }))
  .map(([x, y, width, height]) => insidePage({ x, y, width, height }))
const anyMove = fc.record({
  dx: fc.double({ min: -2, max: 2, noNaN: true }),
  dy: fc.double({ min: -2, max: 2, noNaN: true }),
})
const isInside = ({ x, y, width, height }: Box) => {
  const rounding = 1e-9
  return x >= -rounding && y >= -rounding && x + width <= 1 + rounding && y + height <= 1 + rounding
}

describe('fields on a page', () => {
  it('stay on it however they are moved or resized', () => {
    fc.assert(
      fc.property(fc.array(anyBox, { minLength: 1, maxLength: 4 }), anyMove, (boxes, move) => {
        const by = limitMove(boxes, move)
        expect(boxes.map((one) => moved(one, by)).every(isInside)).toBe(true)
      }),
    )
    fc.assert(
      fc.property(anyBox, fc.constantFrom('nw', 'ne', 'sw', 'se'), anyMove, (one, corner, move) => {
        const after = resized(one, corner, move)
        expect(isInside(after) && after.width > 0 && after.height > 0).toBe(true)
      }),
    )
  })

  it('snap to the nearest edge or middle in reach, and to nothing further away', () => {
    const within = { x: 0.02, y: 0.02 }
    expect(snap(box(0.11, 0.5), [box(0.1, 0.2, 0.25)], within)).toMatchObject({
      dx: expect.closeTo(-0.01),
      dy: 0,
      vertical: [0.1],
    })
    expect(snap(box(0.41, 0.5), [], within)).toMatchObject({ dx: expect.closeTo(-0.01), vertical: [0.5] })
    expect(snap(box(0.15, 0.5), [box(0.6, 0.1)], within)).toEqual({ dx: 0, dy: 0, vertical: [], horizontal: [] })
  })

  it('line up with the outermost of them', () => {
    const boxes = [box(0.1, 0.1), box(0.3, 0.2, 0.4)]
    expect(aligned(boxes, 'right').map(({ x, width }) => x + width)).toEqual([0.7, 0.7].map((n) => expect.closeTo(n)))
    expect(aligned(boxes, 'middle').map(({ y }) => y)).toEqual([0.15, 0.15].map((n) => expect.closeTo(n)))
  })

  it('are caught by a frame that is drawn in any direction', () => {
    const frame = boxBetween({ x: 0.5, y: 0.5 }, { x: 0.2, y: 0.1 })
    expect(overlaps(frame, box(0.45, 0.45))).toBe(true)
    expect(overlaps(frame, box(0.6, 0.1))).toBe(false)
  })
})
