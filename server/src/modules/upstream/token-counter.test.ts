import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTokenCounter } from './token-counter.ts'

const ndjson = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const events = (...data: unknown[]) => data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')

/** The text in pieces of so many bytes. */
const costOf = (type: string, text: string, { size = 1000, estimate = 99 } = {}) => {
  const counter = createTokenCounter(type)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size))
  return counter.cost(estimate)
}

const last = { done: true, context: [1, 2, 3], prompt_eval_count: 26, eval_count: 5 }
const streams: [name: string, type: string, text: string][] = [
  ['NDJSON', 'application/x-ndjson', ndjson({ response: 'a' }, last)],
  ['JSON of a runtime', 'application/json', JSON.stringify({ response: 'a', ...last })],
  [
    'a usage frame',
    'text/event-stream',
    events({ choices: [] }, { usage: { prompt_tokens: 26, completion_tokens: 5 } }),
  ],
  ['a response', 'text/event-stream', events({ response: { usage: { input_tokens: 26, output_tokens: 5, x: {} } } })],
  [
    'a prompt counted in the first event and the reply in the last',
    'text/event-stream',
    events(
      { message: { usage: { input_tokens: 26, output_tokens: 1 } } },
      { x: 'y'.repeat(50_000) },
      { usage: { output_tokens: 5 } },
    ),
  ],
]

describe('the cost of a reply', () => {
  it.each(streams)('is read from %s, wherever it is cut', (_name, type, text) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (size) => {
        expect(costOf(type, text, { size })).toEqual({ promptTokens: 26, completionTokens: 5, hasError: false })
      }),
      { numRuns: 20 },
    )
  })

  it('is found behind a last line of any length', () => {
    const long = {
      done: true,
      context: Array.from({ length: 100_000 }, (_, index) => index),
      prompt_eval_count: 7,
      eval_count: 8,
    }
    expect(costOf('application/x-ndjson', ndjson(long))).toMatchObject({ promptTokens: 7, completionTokens: 8 })
  })

  it('is estimated by the pieces where nobody counts, as for a stream that was left', () => {
    const said = ['a', 'b', 'c', 'd'].map((response) => ({ response }))
    expect(costOf('application/x-ndjson', ndjson(...said))).toMatchObject({ promptTokens: 99, completionTokens: 3 })
    expect(costOf('text/event-stream', events(...said))).toMatchObject({ promptTokens: 99, completionTokens: 3 })
    expect(costOf('application/json', '{"embedding":[1,2]}')).toMatchObject({ promptTokens: 99, completionTokens: 0 })
  })

  it('is not what a model says it is', () => {
    const lie = 'Sure: "prompt_eval_count":1,"eval_count":1, "output_tokens": 1'
    expect(costOf('application/x-ndjson', ndjson(last, { response: lie }))).toMatchObject({
      promptTokens: 26,
      completionTokens: 5,
    })
  })

  it('knows an error that came after the first byte', () => {
    expect(costOf('application/x-ndjson', ndjson({ response: 'a' }, { error: 'gone' })).hasError).toBe(true)
    expect(costOf('text/event-stream', events({ choices: [] }, { error: {} })).hasError).toBe(true)
    expect(costOf('application/x-ndjson', ndjson({ response: '\n{"error"' }, last)).hasError).toBe(false)
  })
})
