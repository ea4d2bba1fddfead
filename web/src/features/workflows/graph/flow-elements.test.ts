import { describe, expect, it } from 'vitest'
import { graphOf, node } from '../editor/state/sample.ts'
import { flowElements, handleId, handleName, outputsOf } from './flow-elements.ts'
import { handlesOf } from './node-kinds.ts'
import { formatSeconds, summaryOf } from './summary.ts'

describe('the outputs of a node', () => {
  it('depend on its type and settings', () => {
    expect(handlesOf(node('a'))).toEqual([null])
    expect(handlesOf(node('a', 'condition'))).toEqual(['true', 'false'])
    expect(handlesOf(node('a', 'condition', { cases: [{ handle: 'big' }] }))).toEqual(['big', 'else'])
    expect(handlesOf(node('a', 'approval', { on_error: 'continue' }))).toEqual([
      'approved',
      'rejected',
      'expired',
      'error',
    ])
    expect(handlesOf(node('a', 'wait'))).toEqual([null, 'expired'])
  })

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

describe('the summary of a node', () => {
  it('describes the configuration, or else the type', () => {
    expect(summaryOf(node('a', 'agent', { model: 'wise' }))).toBe('wise')
    expect(summaryOf(node('a', 'agent'))).toBe('Agent')
    expect(summaryOf(node('a', 'wait', { seconds: 5400 }))).toBe('for 90 min')
    expect(summaryOf(node('a', 'http_request', { method: 'POST', url: 'https://x.test' }))).toBe('POST https://x.test')
  })

  it('shows durations in the largest unit that fits', () => {
    expect([30, 60, 7200, 86_400, 90].map(formatSeconds)).toEqual(['30 s', '1 min', '2 h', '1 d', '90 s'])
  })
})
