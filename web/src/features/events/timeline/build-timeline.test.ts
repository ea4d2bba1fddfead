import type { Delivery, ListedEvent } from '@chancery/contract/workflows/events.ts'
import type { ListedRun, RunStepHead } from '@chancery/contract/workflows/runs.ts'
import { describe, expect, it } from 'vitest'
import { buildTimeline, summarise, type TimelineRow } from './build-timeline.ts'

const event = (event_id: string, published_at: number, causation_run_id: string | null = null): ListedEvent => ({
  event_id,
  event_type: event_id,
  source: 'api',
  correlation_id: 'c',
  user_id: null,
  payload: {},
  published_at,
  seq: published_at,
  causation_run_id,
})
const delivery = (event_id: string, run_id: string | null, decided_at: number): Delivery => ({
  event_id,
  subscription_id: `s-${run_id}`,
  subscription_name: 'A trigger',
  workflow_id: 'w',
  workflow_name: 'W',
  decision: run_id === null ? 'filter_false' : 'fired',
  run_id,
  reason: null,
  decided_at,
})
const step = (id: string, offset_ms: number, more: Partial<RunStepHead> = {}): RunStepHead => ({
  id,
  number: 1,
  node_id: id,
  node_name: id,
  node_type: 'transform',
  status: 'succeeded',
  attempt: 1,
  handle: null,
  warnings: [],
  error: null,
  prompt_tokens: 0,
  completion_tokens: 0,
  started_at: 0,
  offset_ms,
  finished_at: 0,
  cost: null,
  cost_is_partial: false,
  duration_ms: 1,
  wake_at: null,
  ...more,
})
const run = (id: string, started_at_ms: number, more: Partial<ListedRun> = {}): ListedRun => ({
  id,
  workflow_id: 'w',
  workflow_name: 'W',
  version_id: 'v',
  is_test: false,
  version: 1,
  status: 'succeeded',
  trigger: 'event',
  event_id: null,
  correlation_id: 'c',
  error: null,
  prompt_tokens: 0,
  completion_tokens: 0,
  created_at: 0,
  started_at: 0,
  started_at_ms,
  finished_at: 0,
  duration_ms: 50,
  replay_of: null,
  retry_of: null,
  user_id: null,
  acts_for: null,
  parent_run_id: null,
  cost: null,
  cost_is_partial: false,
  currency: null,
  parent_node_id: null,
  steps: [],
  ...more,
})
const drawn = (rows: readonly TimelineRow[]) =>
  rows.map(({ kind, key, depth }) => `${'  '.repeat(depth)}${kind} ${key}`)

describe('the timeline of a process', () => {
  it('nests what caused what: event, decision, run, its steps and the events it published', () => {
    const rows = buildTimeline({
      events: [event('late', 500), event('second', 120, 'r1'), event('first', 100)],
      deliveries: [delivery('first', 'r1', 101), delivery('first', null, 101), delivery('second', 'r2', 125)],
      runs: [
        run('r2', 130, { event_id: 'second', steps: [step('c', 1)] }),
        run('r1', 105, {
          event_id: 'first',
          steps: [step('a', 0), step('b', 40), step('left out', 41, { status: 'skipped' })],
        }),
      ],
    })
    expect(drawn(rows)).toEqual([
      'event first',
      '  decision first s-r1',
      '    run r1',
      '      step a',
      '      event second',
      '        decision second s-r2',
      '          run r2',
      '            step c',
      '      step b',
      '  decision first s-null',
      'event late',
    ])
  })

  it('puts retries and child runs under the run they came from, without reused steps', () => {
    const rows = buildTimeline({
      events: [],
      deliveries: [],
      runs: [
        run('retry', 300, { retry_of: 'first', steps: [step('kept', -200), step('again', 1)] }),
        run('child', 110, { parent_run_id: 'first' }),
        run('first', 100, { trigger: 'manual' }),
        run('other', 50, { parent_run_id: 'not of this process' }),
      ],
    })
    expect(drawn(rows)).toEqual(['run other', 'run first', '  run child', '  run retry', '    step again'])
  })

  it('shows nothing twice and terminates, even with circular references', () => {
    const rows = buildTimeline({
      events: [event('e', 1, 'r'), event('root', 0)],
      deliveries: [delivery('e', 'r', 2), delivery('root', 'r', 1)],
      runs: [run('r', 2, { event_id: 'e' })],
    })
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
    expect(rows).toHaveLength(5)
  })

  it('summarizes duration and state', () => {
    const runs = [
      run('a', 200),
      run('b', 300, { status: 'failed' }),
      run('c', 310, { status: 'waiting', duration_ms: null }),
    ]
    expect(summarise({ events: [event('e', 100)], runs })).toEqual({
      beganAt: 100,
      tookMs: 250,
      isUnderWay: true,
      failures: 1,
    })
  })
})
