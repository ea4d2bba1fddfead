import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'
import { describe, expect, it } from 'vitest'
import { unionGraph } from './union-graph.ts'

const node = (id: string, x = 0, y = 0): GraphNode => ({
  id,
  type: 'transform',
  name: id.toUpperCase(),
  position: { x, y },
  config: {},
})
const edge = (id: string, source: string, target: string) => ({ id, source, target })
const graph = (nodes: GraphNode[], edges: Graph['edges'] = []): Graph => ({ nodes, edges })
const named = (id: string) => ({ id, name: id.toUpperCase(), type: 'transform' })
const same = { added: [], removed: [], changed: [], unchanged: [] }

describe('the union of two graphs', () => {
  it('contains current and removed elements, and labels what changed', () => {
    const { graph: union, marks } = unionGraph(graph([node('a'), node('b', 300)]), graph([node('a'), node('c', 600)]), {
      nodes: {
        added: [named('c')],
        removed: [named('b')],
        unchanged: [],
        changed: [{ id: 'a', name: 'A', fields: [{ path: 'name', before: 'a', after: 'A' }] }],
      },
      edges: same,
    })
    expect(union.nodes.map(({ id }) => id)).toEqual(['a', 'c', 'b'])
    expect([...marks].map(([id, { tone, label }]) => [id, tone, label])).toEqual([
      ['c', 'added', 'Added'],
      ['b', 'removed', 'Removed'],
      ['a', 'changed', 'Changed'],
    ])
    expect(marks.get('a')?.detail).toBe('1 field')
  })

  it('leaves unchanged elements unmarked', () => {
    const one = graph([node('a')])
    expect(unionGraph(one, one, { nodes: { ...same, unchanged: ['a'] }, edges: same }).marks.size).toBe(0)
  })

  it('moves a removed node below whatever took its position', () => {
    const { graph: union } = unionGraph(graph([node('old', 0, 0), node('older', 10, 10)]), graph([node('new', 0, 0)]), {
      nodes: { ...same, added: [named('new')], removed: [named('old'), named('older')] },
      edges: same,
    })
    const ys = union.nodes.map(({ position }) => position.y)
    expect(new Set(ys).size).toBe(3)
    expect(Math.abs((ys[1] ?? 0) - (ys[0] ?? 0))).toBeGreaterThanOrEqual(110)
    expect(Math.abs((ys[2] ?? 0) - (ys[1] ?? 0))).toBeGreaterThanOrEqual(100)
  })

  it('lays everything out if there are no positions', () => {
    const { graph: union } = unionGraph(graph([node('a'), node('b')], [edge('e', 'a', 'b')]), graph([node('a')]), {
      nodes: { ...same, removed: [named('b')], unchanged: ['a'] },
      edges: { ...same, removed: [edge('e', 'a', 'b')] },
    })
    const [a, b] = union.nodes.map(({ position }) => position.x)
    expect((b ?? 0) - (a ?? 0)).toBeGreaterThan(200)
  })

  it('keeps a removed edge apart from a new one with the same ID', () => {
    const { graph: union, edgeMarks } = unionGraph(
      graph([node('a'), node('b')], [edge('e', 'a', 'b')]),
      graph([node('a'), node('b')], [edge('e', 'b', 'a')]),
      {
        nodes: { ...same, unchanged: ['a', 'b'] },
        edges: { added: [edge('e', 'b', 'a')], removed: [edge('e', 'a', 'b')], unchanged: [] },
      },
    )
    expect(union.edges.map(({ id, source }) => [id, source])).toEqual([
      ['e', 'b'],
      ['e-was', 'a'],
    ])
    expect(Object.fromEntries(edgeMarks)).toEqual({ e: 'added', 'e-was': 'removed' })
  })
})
