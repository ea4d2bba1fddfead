import { describe, expect, it } from 'vitest'
import {
  addNode,
  canJoin,
  configureNode,
  joinNodes,
  moveNodes,
  rejoinNodes,
  removeElements,
  renameWay,
  targetsOf,
} from './graph-edits.ts'
import { graphOf } from './sample.ts'

const none = new Set<string>()

describe('adding a node', () => {
  it('gives it an id and a name that nobody has', () => {
    const once = addNode(graphOf('a'), 'agent', { x: 1.4, y: 2.6 })
    const twice = addNode(once.graph, 'agent', { x: 0, y: 0 })
    expect([once.id, twice.id]).toEqual(['agent', 'agent_2'])
    expect(twice.graph.nodes.map(({ name }) => name)).toEqual(['A', 'Agent', 'Agent 2'])
    expect(once.graph.nodes.at(-1)?.position).toEqual({ x: 1, y: 3 })
  })
})

describe('configuring a node', () => {
  it('leaves the others as they were, and takes away what is given as undefined', () => {
    const graph = configureNode(graphOf('a b'), 'a', { model: 'wise', prompt: 'x' })
    const next = configureNode(graph, 'a', { prompt: undefined })
    expect(next.nodes[0]?.config).toEqual({ model: 'wise' })
    expect(next.nodes[1]).toBe(graph.nodes[1])
  })

  it('is no change where the node is gone', () => {
    const graph = graphOf('a')
    expect(configureNode(graph, 'b', { prompt: 'x' })).toBe(graph)
  })
})

describe('joining nodes', () => {
  const graph = graphOf('a b c', 'a>b', 'b>c')

  it('draws an edge by its way out', () => {
    expect(joinNodes(graph, { source: 'a', target: 'c', handle: 'true' }).edges.at(-1)).toEqual({
      ...{ id: 'a-true-c', source: 'a', target: 'c', source_handle: 'true' },
    })
  })

  it('draws nothing twice, nothing to itself and nothing back', () => {
    for (const join of [
      { source: 'a', target: 'b', handle: null },
      { source: 'a', target: 'a', handle: null },
      { source: 'c', target: 'a', handle: null },
    ]) {
      expect(canJoin(graph, join)).toBe(false)
      expect(joinNodes(graph, join)).toBe(graph)
    }
  })

  it('puts one end of an edge elsewhere', () => {
    const next = rejoinNodes(graph, 'b-c', { source: 'a', target: 'c', handle: null })
    expect(next.edges.map(({ source, target }) => `${source}>${target}`)).toEqual(['a>b', 'a>c'])
  })

  it('offers what an edge may lead to', () => {
    expect(targetsOf(graph, 'a', null).map(({ id }) => id)).toEqual(['c'])
    expect(targetsOf(graph, 'a', 'error').map(({ id }) => id)).toEqual(['b', 'c'])
    expect(targetsOf(graph, 'c', null)).toEqual([])
  })

  it('makes ids of ways that ids cannot hold', () => {
    const [made] = joinNodes(graphOf('a b'), { source: 'a', target: 'b', handle: 'größer als' }).edges
    expect(made).toMatchObject({ id: 'a-gr_er_als-b', source_handle: 'größer als' })
  })
})

describe('removing', () => {
  it('takes the edges of a node with it', () => {
    const next = removeElements(graphOf('a b c', 'a>b', 'b>c', 'a>c'), new Set(['b']), none)
    expect(next.edges.map(({ id }) => id)).toEqual(['a-c'])
  })

  it('is no change where nothing is removed', () => {
    const graph = graphOf('a')
    expect(removeElements(graph, none, none)).toBe(graph)
  })
})

describe('moving', () => {
  it('touches only those that moved', () => {
    const graph = graphOf('a b')
    const next = moveNodes(graph, new Map([['b', { x: 9.7, y: 1 }]]))
    expect(next.nodes[0]).toBe(graph.nodes[0])
    expect(next.nodes[1]?.position).toEqual({ x: 10, y: 1 })
    expect(moveNodes(next, new Map([['b', { x: 10, y: 1 }]]))).toBe(next)
  })
})

describe('a case that is renamed', () => {
  it('keeps where it leads', () => {
    expect(renameWay(graphOf('a b', 'a:old>b'), 'a', 'old', 'new').edges[0]?.source_handle).toBe('new')
  })
})
