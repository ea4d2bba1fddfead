import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type { RunStep } from '@chancery/contract/workflows/runs.ts'
import { describe, expect, it } from 'vitest'
import { edgeMarks, nodeMarks, nodeOfInterest } from './run-marks.ts'
import { sampleRun, sampleStep } from './sample.ts'

const graph: Graph = {
  nodes: ['ask', 'yes', 'no', 'end'].map((id) => ({
    id,
    type: 'transform',
    name: id,
    position: { x: 0, y: 0 },
    config: {},
  })),
  edges: [
    { id: 'ask-yes', source: 'ask', target: 'yes', source_handle: 'approved' },
    { id: 'ask-no', source: 'ask', target: 'no', source_handle: 'rejected' },
    { id: 'yes-end', source: 'yes', target: 'end' },
  ],
}

describe('the node states of a run', () => {
  it('say how each node did in words, not by colour alone', () => {
    const run = sampleRun([
      sampleStep('ask', { handle: 'approved' }),
      sampleStep('yes', { status: 'running', duration_ms: null, finished_at: null }),
      sampleStep('no', { status: 'skipped' }),
    ])
    expect(Object.fromEntries(nodeMarks(graph, run))).toEqual({
      ask: { tone: 'done', label: 'Done', detail: '1.2 s · → approved' },
      yes: { tone: 'running', label: 'Running', isPulsing: true },
      no: { tone: 'faded', label: 'Skipped' },
    })
  })

  it("show what failed, at which attempt, and what wasn't reached", () => {
    const steps = [
      sampleStep('ask', { attempt: 1, status: 'failed' }),
      sampleStep('ask', { attempt: 2, status: 'failed', duration_ms: 30 }),
    ]
    const marks = nodeMarks(graph, sampleRun(steps, { status: 'failed' }))
    expect(marks.get('ask')).toEqual({ tone: 'failed', label: 'Failed', detail: '30 ms · attempt 2' })
    expect(marks.get('end')).toEqual({ tone: 'faded', label: 'Not reached' })
  })

  it('add up the cost of all attempts', () => {
    const tries = [
      sampleStep('ask', { attempt: 1, status: 'failed', prompt_tokens: 900, cost: 0.0009 }),
      sampleStep('ask', { attempt: 2, prompt_tokens: 100, completion_tokens: 10, cost: 0.0111 }),
    ]
    const detailWith = (steps: RunStep[]) => nodeMarks(graph, sampleRun(steps, { currency: 'EUR' })).get('ask')?.detail
    expect(detailWith(tries)).toBe('1.2 s · 1,010 tokens · €0.012 · attempt 2')
    const unpriced = sampleStep('ask', { attempt: 3, prompt_tokens: 90 })
    expect(detailWith([...tries, unpriced])).toBe('1.2 s · 1,100 tokens · at least €0.012 · attempt 3')
  })

  it('show how long something waits, and what was reused', () => {
    const steps = [
      sampleStep('ask', { offset_ms: -500 }),
      sampleStep('yes', { status: 'waiting', duration_ms: null, wake_at: 4_000_000_000 }),
    ]
    const marks = nodeMarks(graph, sampleRun(steps))
    expect(marks.get('ask')).toMatchObject({ tone: 'done', label: 'Reused' })
    expect(marks.get('yes')?.detail).toMatch(/^until .*2096/)
  })

  it('show which edges were followed', () => {
    const run = sampleRun([
      sampleStep('ask', { handle: 'approved' }),
      sampleStep('yes', { status: 'running' }),
      sampleStep('no', { status: 'skipped' }),
    ])
    expect(Object.fromEntries(edgeMarks(graph, run))).toEqual({ 'ask-yes': 'running', 'ask-no': 'faded' })
  })

  it('focus on what failed, else what waits, else the end', () => {
    const done = sampleStep('ask')
    expect(nodeOfInterest(sampleRun([done, sampleStep('yes')]))).toBe('yes')
    expect(nodeOfInterest(sampleRun([sampleStep('yes', { status: 'waiting' }), done]))).toBe('yes')
    expect(nodeOfInterest(sampleRun([sampleStep('no', { status: 'failed' }), done]))).toBe('no')
    expect(nodeOfInterest(sampleRun([]))).toBeUndefined()
  })
})
