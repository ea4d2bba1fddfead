import { describe, expect, it } from 'vitest'
import { graphOf, node } from '../../kinds/sample.ts'
import { freeOutput, freePosition, positionAfter } from './node-position.ts'

describe('the position of a new node', () => {
  it('is to the right of the node it follows', () => {
    expect(positionAfter(graphOf('a'), 'a')).toEqual({ x: 280, y: 0 })
  })

  it('never overlaps another node', () => {
    const graph = graphOf('a b')
    const [a, b] = graph.nodes
    if (!a || !b) throw new Error('two nodes')
    const taken = { ...graph, nodes: [a, { ...b, position: { x: 280, y: 0 } }] }
    expect(positionAfter(taken, 'a').y).toBeGreaterThan(60)
    expect(freePosition(taken, { x: 900, y: 0 })).toEqual({ x: 900, y: 0 })
  })

  it('uses the first unconnected output', () => {
    const graph = { nodes: [node('a', 'condition'), node('b')], edges: graphOf('a b', 'a:true>b').edges }
    expect(freeOutput(graph, 'a')).toBe('false')
    expect(freeOutput(graphOf('a b', 'a>b'), 'a')).toBeNull()
  })
})
