import { describe, expect, it } from 'vitest'
import { graphOf, node } from '../kinds/sample.ts'
import { hasNoLayout, layOut, withLayout } from './auto-layout.ts'

const graph = graphOf('a b c d', 'a>b', 'a>c', 'b>d', 'c>d')

describe('the layout of a graph', () => {
  it('runs from left to right without overlapping cards', () => {
    const at = new Map(layOut(graph).nodes.map(({ id, position }) => [id, position]))
    expect(at.get('a')?.x).toBeLessThan(at.get('b')?.x ?? 0)
    expect(at.get('b')?.x).toBe(at.get('c')?.x)
    expect(at.get('b')?.y).not.toBe(at.get('c')?.y)
    expect(at.get('c')?.x).toBeLessThan(at.get('d')?.x ?? 0)
  })

  it('puts branches in the order of the outputs they leave by, however the edges are listed', () => {
    const { nodes, edges } = graphOf('start a b c end', 'start:no>b', 'start:yes>c', 'start:else>a', 'c>end', 'a>end')
    const start = node('start', 'condition', { cases: [{ handle: 'yes' }, { handle: 'no' }] })
    const at = new Map(
      layOut({ nodes: [start, ...nodes.slice(1)], edges }).nodes.map(({ id, position }) => [id, position]),
    )
    const order = ['a', 'b', 'c'].toSorted((one, other) => (at.get(one)?.y ?? 0) - (at.get(other)?.y ?? 0))
    expect(order).toEqual(['c', 'b', 'a'])
  })

  it('keeps every card where two nodes want opposite orders', () => {
    const { nodes, edges } = graphOf('p q a b', 'p:true>a', 'p:false>b', 'q:true>b', 'q:false>a')
    const conditions = nodes.map((one) =>
      one.id === 'p' || one.id === 'q' ? { ...one, type: 'condition' as const } : one,
    )
    const positions = layOut({ nodes: conditions, edges }).nodes.map(({ position }) => `${position.x},${position.y}`)
    expect(new Set(positions).size).toBe(4)
  })

  it('tolerates edges to missing nodes', () => {
    expect(layOut(graphOf('a', 'a>gone')).nodes).toHaveLength(1)
  })

  it('is applied to graphs without positions', () => {
    expect(hasNoLayout(graph)).toBe(true)
    expect(hasNoLayout(graphOf('a'))).toBe(false)
    const made = withLayout(graph)
    expect(withLayout(made)).toBe(made)
  })
})
