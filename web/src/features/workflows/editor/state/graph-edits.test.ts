import { describe, expect, it } from 'vitest'
import { graphOf } from '../../kinds/sample.ts'
import {
  addNode,
  canJoin,
  configureNode,
  joinNodes,
  moveNodes,
  rejoinNodes,
  removeElements,
  renameOutput,
  targetsOf,
} from './graph-edits.ts'

const none = new Set<string>()

describe('adding a node', () => {
  it('gives it an unused ID and name', () => {
    const once = addNode(graphOf('a'), 'agent', { x: 1.4, y: 2.6 })
    const twice = addNode(once.graph, 'agent', { x: 0, y: 0 })
    expect([once.id, twice.id]).toEqual(['agent', 'agent_2'])
    expect(twice.graph.nodes.map(({ name }) => name)).toEqual(['A', 'Agent', 'Agent 2'])
    expect(once.graph.nodes.at(-1)?.position).toEqual({ x: 1, y: 3 })
  })
})

describe('configuring a node', () => {
  it('leaves other nodes unchanged and removes fields set to undefined', () => {
    const graph = configureNode(graphOf('a b'), 'a', { model: 'wise', prompt: 'x' })
    const next = configureNode(graph, 'a', { prompt: undefined })
    expect(next.nodes[0]?.config).toEqual({ model: 'wise' })
    expect(next.nodes[1]).toBe(graph.nodes[1])
  })

  it('changes nothing if the node is gone', () => {
    const graph = graphOf('a')
    expect(configureNode(graph, 'b', { prompt: 'x' })).toBe(graph)
  })
})

describe('connecting nodes', () => {
  const graph = graphOf('a b c', 'a>b', 'b>c')

  it('adds an edge for an output', () => {
    expect(joinNodes(graph, { source: 'a', target: 'c', handle: 'true' }).edges.at(-1)).toEqual({
      id: 'a-true-c',
      source: 'a',
      target: 'c',
      source_handle: 'true',
    })
  })

  it('adds no duplicates, no self-loops and no cycles', () => {
    for (const join of [
      { source: 'a', target: 'b', handle: null },
      { source: 'a', target: 'a', handle: null },
      { source: 'c', target: 'a', handle: null },
    ]) {
      expect(canJoin(graph, join)).toBe(false)
      expect(joinNodes(graph, join)).toBe(graph)
    }
  })

  it('moves one end of an edge', () => {
    const next = rejoinNodes(graph, 'b-c', { source: 'a', target: 'c', handle: null })
    expect(next.edges.map(({ source, target }) => `${source}>${target}`)).toEqual(['a>b', 'a>c'])
  })

  it('lists the nodes an edge may lead to', () => {
    expect(targetsOf(graph, 'a', null).map(({ id }) => id)).toEqual(['c'])
    expect(targetsOf(graph, 'a', 'error').map(({ id }) => id)).toEqual(['b', 'c'])
    expect(targetsOf(graph, 'c', null)).toEqual([])
  })

  it("creates IDs for output names that aren't valid in IDs", () => {
    const [made] = joinNodes(graphOf('a b'), { source: 'a', target: 'b', handle: 'größer als' }).edges
    expect(made).toMatchObject({ id: 'a-gr_er_als-b', source_handle: 'größer als' })
  })
})

describe('removing', () => {
  it('removes the edges of a removed node', () => {
    const next = removeElements(graphOf('a b c', 'a>b', 'b>c', 'a>c'), new Set(['b']), none)
    expect(next.edges.map(({ id }) => id)).toEqual(['a-c'])
  })

  it('changes nothing if nothing is removed', () => {
    const graph = graphOf('a')
    expect(removeElements(graph, none, none)).toBe(graph)
  })
})

describe('moving', () => {
  it('changes only the nodes that moved', () => {
    const graph = graphOf('a b')
    const next = moveNodes(graph, new Map([['b', { x: 9.7, y: 1 }]]))
    expect(next.nodes[0]).toBe(graph.nodes[0])
    expect(next.nodes[1]?.position).toEqual({ x: 10, y: 1 })
    expect(moveNodes(next, new Map([['b', { x: 10, y: 1 }]]))).toBe(next)
  })
})

describe('a renamed case', () => {
  it('keeps its edges', () => {
    expect(renameOutput(graphOf('a b', 'a:old>b'), 'a', 'old', 'new').edges[0]?.source_handle).toBe('new')
  })
})
