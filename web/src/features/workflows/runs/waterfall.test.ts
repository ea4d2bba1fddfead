import { describe, expect, it } from 'vitest'
import { sampleRun, sampleStep } from './sample.ts'
import { layOutBars } from './waterfall.ts'

const laidOut = (steps: Parameters<typeof sampleRun>[0], now = 0) =>
  layOutBars(sampleRun(steps), now).map(({ step: { node_id }, left, width }) => [
    node_id,
    Math.round(left),
    Math.round(width),
  ])

describe("the bars of a run's timeline", () => {
  it('are positioned by time', () => {
    const steps = [sampleStep('a', { duration_ms: 250 }), sampleStep('b', { offset_ms: 250, duration_ms: 750 })]
    expect(laidOut(steps)).toEqual([
      ['a', 0, 25],
      ['b', 25, 75],
    ])
  })

  it('grow while their step is running', () => {
    const open = { finished_at: null, duration_ms: null, status: 'running' } as const
    const steps = [sampleStep('a', { duration_ms: 500 }), sampleStep('b', { offset_ms: 500, ...open })]
    expect(laidOut(steps, 2000)).toEqual([
      ['a', 0, 25],
      ['b', 25, 75],
    ])
  })

  it('leave out skipped steps, and give reused ones no width', () => {
    const steps = [
      sampleStep('kept', { offset_ms: -400 }),
      sampleStep('left out', { status: 'skipped' }),
      sampleStep('quick', { offset_ms: 1, duration_ms: 0 }),
    ]
    expect(laidOut(steps)).toEqual([
      ['kept', 0, 0],
      ['quick', 99, 1],
    ])
  })
})
