import { describe, expect, it } from 'vitest'
import { graphOf } from '../editor/state/sample.ts'
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
