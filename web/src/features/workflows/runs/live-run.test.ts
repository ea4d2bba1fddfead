import { describe, expect, it } from 'vitest'
import { attemptsOf, isOver, lastSteps, withItem, withStep } from './live-run.ts'
import { sampleRun, sampleStep } from './sample.ts'

describe('applying stream frames to a run', () => {
  it('replaces each step as a whole, in time order', () => {
    let run = sampleRun([sampleStep('a', { status: 'running' })])
    run = withStep(run, sampleStep('c', { offset_ms: 20 }))
    run = withStep(run, sampleStep('b', { offset_ms: 10 }))
    run = withStep(run, sampleStep('a', { output: 1 }))
    expect(run.steps.map(({ node_id, status }) => [node_id, status])).toEqual([
      ['a', 'succeeded'],
      ['b', 'succeeded'],
      ['c', 'succeeded'],
    ])
  })

  it('keeps the parts that only the full run has when its head changes', () => {
    const run = sampleRun([sampleStep('a')], { input: { n: 1 } })
    const { steps: _steps, input: _input, output: _output, ...head } = sampleRun([], { status: 'succeeded' })
    const changed = withItem(run, head)
    expect(changed).toMatchObject({ status: 'succeeded', input: { n: 1 }, steps: [{ node_id: 'a' }] })
    expect(isOver(changed)).toBe(true)
  })

  it('knows the attempts of a node and which one counts', () => {
    const run = sampleRun([sampleStep('a', { attempt: 2 }), sampleStep('a', { attempt: 1, status: 'failed' })])
    expect(attemptsOf(run, 'a').map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(lastSteps(run).get('a')).toMatchObject({ attempt: 2 })
  })
})
