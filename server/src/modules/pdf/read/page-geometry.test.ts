import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boxOf, rotationOf, toFractions, toPage, toSeen, visibleBox, visibleSize } from './page-geometry.ts'

const side = fc.integer({ min: 20, max: 2_000 })
const corner = fc.integer({ min: -500, max: 500 })
const page = fc.record({
  box: fc
    .tuple(corner, corner, side, side)
    .map(([x0, y0, width, height]) => ({ x0, y0, x1: x0 + width, y1: y0 + height })),
  rotation: fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const),
})
const part = fc.double({ min: 0.01, max: 0.5, noNaN: true })

describe('a place on a page', () => {
  it('leads to the page and back, whichever way the page is turned', () => {
    fc.assert(
      fc.property(page, part, part, part, part, (seen, x, y, width, height) => {
        const box = toSeen(seen, { x, y, width, height })
        const [a, b, c, d, e, f] = toPage(seen)
        const corners = [
          [box.x, box.y],
          [box.x + box.width, box.y + box.height],
        ].map(([px = 0, py = 0]) => [a * px + c * py + e, b * px + d * py + f] as const)
        const rect = boxOf(corners.flat())
        const back = toFractions(seen, rect ?? seen.box)
        for (const [name, value] of Object.entries({ x, y, width, height }))
          expect(back[name as keyof typeof back]).toBeCloseTo(value, 6)
        for (const [px, py] of corners) {
          expect(px).toBeGreaterThanOrEqual(seen.box.x0 - 1e-6)
          expect(px).toBeLessThanOrEqual(seen.box.x1 + 1e-6)
          expect(py).toBeGreaterThanOrEqual(seen.box.y0 - 1e-6)
          expect(py).toBeLessThanOrEqual(seen.box.y1 + 1e-6)
        }
      }),
    )
  })

  it('is measured on the part of the page that can be seen', () => {
    const media = boxOf([0, 0, 400, 600])
    expect(visibleBox(media, boxOf([350, 500, 50, 100]))).toEqual({ x0: 50, y0: 100, x1: 350, y1: 500 })
    expect(visibleBox(media, boxOf([-50, -50, 900, 900]))).toEqual(media)
    expect(visibleBox(media, boxOf([700, 700, 900, 900]))).toEqual(media)
    expect(visibleBox(undefined, undefined)).toEqual({ x0: 0, y0: 0, x1: 612, y1: 792 })
    expect(boxOf([0, 0, 0, 600])).toBeUndefined()
    expect(visibleSize({ box: media ?? { x0: 0, y0: 0, x1: 1, y1: 1 }, rotation: 90 })).toEqual({
      width: 600,
      height: 400,
    })
  })

  it('takes any number for a turn', () => {
    expect([undefined, 0, 90, -90, 450, 360, 45, 1e9].map(rotationOf)).toEqual([0, 0, 90, 270, 90, 0, 90, 270])
  })
})
