import { describe, expect, it } from 'vitest'
import { initialView, nodesToFocus, overviewZoom, readableZoom } from './initial-view.ts'
import type { NodeMark, Tone } from './marks.ts'

const box = (id: string, x: number, y = 0) => ({ id, x, y, width: 200, height: 60 })
const row = (count: number) => Array.from({ length: count }, (_, index) => box(`n${index}`, index * 300))
const frame = { width: 1000, height: 600 }

describe('the initial view of a graph', () => {
  it('shows the whole graph centred, at no more than full size', () => {
    expect(initialView(row(2), frame, { around: [] })).toEqual({ x: 250, y: 270, zoom: 1 })
    const view = initialView(row(4), frame, { around: [] })
    expect(view?.zoom).toBeLessThan(1)
    expect(view?.zoom).toBeGreaterThan(readableZoom)
  })

  it('starts at the left if the whole graph would be too small to read', () => {
    expect(initialView(row(9), frame, { around: [] })).toEqual({
      x: 32,
      y: 300 - 30 * readableZoom,
      zoom: readableZoom,
    })
  })

  it('of a run or a comparison shows its fifth node as well, and the end of a longer one', () => {
    for (const [count, width] of [
      [6, 640],
      [6, 808],
      [9, 1000],
    ] as const) {
      const { x = 0, zoom = 0 } =
        initialView(row(count), { width, height: 400 }, { around: ['n0'], wholeFrom: overviewZoom }) ?? {}
      const end = ((count - 1) * 300 + 200) * zoom + x
      expect([x >= 0, end <= width], `${count} in ${width}`).toEqual([true, true])
    }
    const long = initialView(row(30), frame, { around: [], wholeFrom: overviewZoom })
    expect(long?.zoom).toBe(readableZoom)
  })

  it('centres on what matters, without empty space after the last card', () => {
    const middle = initialView(row(9), frame, { around: ['n4'] })
    expect((4 * 300 + 100) * readableZoom + (middle?.x ?? 0)).toBeCloseTo(500)
    const end = initialView(row(9), frame, { around: ['n8'] })
    expect((8 * 300 + 200) * readableZoom + (end?.x ?? 0)).toBeCloseTo(1000 - 32)
  })

  it('shows all changes together, down to a zoom at which they can be told apart', () => {
    const view = initialView(row(9), frame, { around: ['n2', 'n7'] })
    const inFrame = (index: number) => {
      const left = index * 300 * (view?.zoom ?? 0) + (view?.x ?? 0)
      return left >= 0 && left + 200 * (view?.zoom ?? 0) <= frame.width
    }
    expect([inFrame(2), inFrame(7)]).toEqual([true, true])
    expect(view?.zoom).toBeLessThan(readableZoom)
    expect(initialView(row(90), frame, { around: ['n0', 'n89'] })?.zoom).toBeCloseTo(0.3)
  })

  it('is undefined without nodes or space', () => {
    expect(initialView([], frame, { around: [] })).toBeUndefined()
    expect(initialView(row(1), { width: 0, height: 0 }, { around: [] })).toBeUndefined()
  })
})

describe('the nodes to focus', () => {
  const node = (id: string, x: number) => ({
    id,
    type: 'transform' as const,
    name: id,
    position: { x, y: 0 },
    config: {},
  })
  const nodes = [node('c', 600), node('a', 0), node('b', 300)]
  const marked = (marks: Record<string, Tone>) =>
    new Map(Object.entries(marks).map(([id, tone]): [string, NodeMark] => [id, { tone }]))

  it('is where the run is, before where it failed', () => {
    expect(nodesToFocus(nodes, marked({ a: 'failed', b: 'running', c: 'waiting' }))).toEqual(['b'])
    expect(nodesToFocus(nodes, marked({ a: 'done', c: 'failed' }))).toEqual(['c'])
  })

  it('is every change of a comparison, from the left', () => {
    expect(nodesToFocus(nodes, marked({ b: 'removed', c: 'changed' }))).toEqual(['b', 'c'])
  })

  it('is none if nothing changed', () => {
    expect(nodesToFocus(nodes, marked({ a: 'done', b: 'faded' }))).toEqual([])
  })
})
