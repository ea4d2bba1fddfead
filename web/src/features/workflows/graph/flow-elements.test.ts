import { describe, expect, it } from 'vitest'
import { graphOf, node } from '../kinds/sample.ts'
import { flowElements, handleId, handleName, outputsOf } from './flow-elements.ts'

describe('the outputs of a node', () => {
  it('include outputs that an edge still uses, so it can be fixed', () => {
    const { edges } = graphOf('a b', 'a:gone>b')
    expect(outputsOf(node('a'), edges)).toEqual([
      { name: null, isGone: false },
      { name: 'gone', isGone: true },
    ])
  })

  it("have IDs that can't clash with the default output", () => {
    expect(handleId(null)).not.toBe(handleId('plain'))
    expect(handleName(handleId('plain'))).toBe('plain')
    expect(handleName(handleId(null))).toBeNull()
  })
})

describe('a graph on the canvas', () => {
  it('labels each card with its type, name and state', () => {
    const { nodes } = flowElements(graphOf('a'), { marks: new Map([['a', { tone: 'done', label: 'Done' }]]) })
    expect(nodes[0]?.ariaLabel).toBe('Transform: A, Done')
  })

  it('leaves out edges to missing nodes', () => {
    expect(flowElements(graphOf('a', 'a>gone'), {}).edges).toEqual([])
  })
})
