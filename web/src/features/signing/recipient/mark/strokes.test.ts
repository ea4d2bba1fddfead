import { describe, expect, it } from 'vitest'
import { boundsOf, type Point, segmentsOf } from './strokes.ts'

const point = (x: number, y: number, at: number, pressure = 0.5): Point => ({ x, y, at, pressure })

describe('a drawn line', () => {
  it('is connected from its first point to its last', () => {
    const segments = segmentsOf([point(0, 0, 0), point(10, 0, 10), point(20, 10, 20)])
    expect(segments[0]?.from).toMatchObject({ x: 0, y: 0 })
    expect(segments[1]?.from).toEqual(segments[0]?.to)
    expect(segments.at(-1)?.to).toMatchObject({ x: 20, y: 10 })
  })

  it('is thinner where the hand is fast, and follows the pressure of a pen that measures it', () => {
    const slow = segmentsOf([point(0, 0, 0), point(10, 0, 100), point(20, 0, 200)]).at(-1)
    const quick = segmentsOf([point(0, 0, 0), point(10, 0, 2), point(20, 0, 4)]).at(-1)
    const light = segmentsOf([point(0, 0, 0, 0.1), point(10, 0, 100, 0.1), point(20, 0, 200, 0.1)]).at(-1)
    expect(quick?.width).toBeLessThan(slow?.width ?? 0)
    expect(light?.width).toBeLessThan(slow?.width ?? 0)
  })

  it('is a dot for one point, and nothing for none', () => {
    expect(segmentsOf([point(5, 5, 0)])).toHaveLength(1)
    expect(segmentsOf([])).toEqual([])
    expect(boundsOf([])).toBeUndefined()
    expect(boundsOf([[point(5, 5, 0)], [point(25, 15, 0)]])).toEqual({ left: -1, top: -1, width: 32, height: 22 })
  })
})
