import { describe, expect, it } from 'vitest'
import { sampleRun, sampleStep } from '../../runs/sample.ts'
import { draftFor, firstTest, outputsChoice, outputsOf, sourcesOf, testBody } from './test-draft.ts'

const event = {
  event_id: 'e1',
  event_type: 'order_placed',
  source: 'shop',
  correlation_id: 'o-1',
  user_id: null,
  payload: { total: 21 },
  published_at: 0,
  seq: 1,
  causation_run_id: null,
}
const edge = (source: string, target: string) => ({ id: `${source}-${target}`, source, target })

describe('what a single node is tried with', () => {
  it('is the results of the nodes before it, each once', () => {
    const sources = sourcesOf({ edges: [edge('a', 'c'), edge('b', 'c'), edge('a', 'c'), edge('c', 'd')] }, 'c')
    expect(sources).toEqual(['a', 'b'])
    const draft = firstTest(sources, [event])
    expect(draft).toEqual({ choice: outputsChoice, text: '{\n  "a": {},\n  "b": {}\n}' })
    expect(testBody(draft, { a: { n: 1 } }, [event])).toEqual({ outputs: { a: { n: 1 } } })
  })

  it('is the newest event for a first node, and an input where there is none', () => {
    expect(testBody(firstTest([], [event]), { total: 1 }, [event])).toEqual({
      event: { event_type: 'order_placed', source: 'shop', correlation_id: 'o-1', payload: { total: 1 } },
    })
    expect(testBody(firstTest([], []), { n: 1 }, [])).toEqual({ input: { n: 1 } })
  })

  it('is what the nodes before it returned in an earlier run', () => {
    const run = sampleRun([
      sampleStep('a', { status: 'failed', output: null }),
      sampleStep('a', { attempt: 2, output: { n: 2 } }),
      sampleStep('if', { node_type: 'condition', handle: 'true', output: null }),
      sampleStep('b', { status: 'failed', output: { error: 'x' } }),
      sampleStep('later', { output: 3 }),
    ])
    expect(outputsOf(run, ['a', 'if', 'b', 'never'])).toEqual({ a: { n: 2 }, if: { handle: 'true' } })
  })

  it('is the sample that was used last, unless its event is gone', () => {
    const saved = JSON.stringify({ choice: 'input', text: '7' })
    expect(firstTest(['a'], [event], saved)).toEqual({ choice: 'input', text: '7' })
    expect(firstTest(['a'], [], JSON.stringify(draftFor('e1', [], [event])))).toMatchObject({ choice: outputsChoice })
    expect(firstTest(['a'], [], 'not JSON')).toMatchObject({ choice: outputsChoice })
  })
})
