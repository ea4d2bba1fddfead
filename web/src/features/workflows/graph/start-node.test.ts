import { Zap } from 'lucide-react'
import { describe, expect, it } from 'vitest'
import { graphOf } from '../kinds/sample.ts'
import { flowElements } from './flow-elements.ts'
import { comparedEntries, entriesOf, startElements, startId } from './start-node.ts'

const none = { summary: 'No triggers', rows: [] }
const rows = [{ id: 't', icon: Zap, text: 'On order_created', detail: '', status: 'Active', tone: 'done' as const }]

describe('the Start node', () => {
  it('leads to every node where a run begins', () => {
    const graph = graphOf('a b c d', 'a>c', 'b>c', 'gone>d')
    const { nodes } = flowElements(graph, {})
    const { edges } = startElements(nodes, { start: none, entries: entriesOf(graph) })
    expect(edges.map(({ source, target }) => [source, target])).toEqual([
      [startId, 'a'],
      [startId, 'b'],
      [startId, 'd'],
    ])
    expect(edges.every(({ selectable, deletable, reconnectable }) => !selectable && !deletable && !reconnectable)).toBe(
      true,
    )
  })

  it('is left of all nodes, as high as those it leads to, and there in an empty graph too', () => {
    const graph = graphOf('a b c', 'a>b')
    const at = { a: { x: 300, y: 100 }, b: { x: 40, y: 900 }, c: { x: 300, y: 200 } }
    const placed = { ...graph, nodes: graph.nodes.map((one) => ({ ...one, position: at[one.id as 'a' | 'b' | 'c'] })) }
    const { node } = startElements(flowElements(placed, {}).nodes, { start: none, entries: entriesOf(placed) })
    expect(node.position.x + (node.width ?? 0)).toBeLessThan(40)
    expect(node.position.y).toBe(150)
    expect(startElements([], { start: none, entries: new Map() }).node.position).toEqual({ x: 0, y: 0 })
  })

  it('says to a screen reader what starts runs', () => {
    const { node } = startElements([], { start: { summary: '1 trigger', rows }, entries: new Map() })
    expect(node.ariaLabel).toBe('Start, 1 trigger, On order_created: Active')
  })

  it('shows in a comparison where runs begin now, and where they began before', () => {
    expect([...comparedEntries(graphOf('a b c', 'a>b'), graphOf('a b d', 'd>a'))]).toEqual([
      ['b', 'added'],
      ['d', 'added'],
      ['a', 'removed'],
      ['c', 'removed'],
    ])
  })
})
