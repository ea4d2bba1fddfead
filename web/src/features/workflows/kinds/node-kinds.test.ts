import { nodeTypes } from '@chancery/contract/workflows/graph.ts'
import { describe, expect, it } from 'vitest'
import { handlesOf, newConfig, summaryOf } from './node-kinds.ts'
import { node } from './sample.ts'
import { formatSeconds } from './wait.ts'

describe('a new node', () => {
  it.each(nodeTypes)('of type %s is due at no time that nobody set', (type) => {
    const config = newConfig(type)
    expect(config).not.toHaveProperty('deadline_sec')
    expect(config).not.toHaveProperty('expires_sec')
  })
})

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
