import { describe, expect, it } from 'vitest'
import type { StepRow } from '../queries/steps.ts'
import { hideCredentials } from './hide-secrets.ts'
import { createPendingTrace } from './trace-writer.ts'

const redactor = { text: (text: string) => text }
const step = { id: 's', runId: 'r' } as StepRow
const nothing = {} as Parameters<ReturnType<ReturnType<typeof createPendingTrace>['open']>['save']>[0]

describe('what a run keeps of its model calls', () => {
  it('has a limit for each text and each call', () => {
    const call = createPendingTrace({ traceSize: 0 }, redactor).open(step, 1)
    const lengths = Array.from({ length: 6 }, () => call.text('x'.repeat(30_000)).indexOf('…'))
    expect(lengths).toEqual([20_000, 20_000, 20_000, 20_000, 20_000, 0])
  })

  it('has a limit for the run, beyond which calls are kept without their texts', () => {
    const run = { traceSize: 1_999_990 }
    const trace = createPendingTrace(run, redactor)
    const call = trace.open(step, 1)
    expect(call.text('x'.repeat(50))).toBe('xxxxxxxxxx… [40 more characters]')
    call.save(nothing)
    expect(trace.open(step, 2).text('x'.repeat(50))).toBe('… [50 more characters]')
    expect(trace.take()).toMatchObject([
      { stepId: 's', runId: 'r', number: 1, contentJson: expect.stringContaining('true') },
    ])
    expect(trace.take()).toEqual([])
  })

  it('counts a call once, however often it is saved', () => {
    const run = { traceSize: 0 }
    const trace = createPendingTrace(run, redactor)
    const call = trace.open(step, 1)
    call.save(nothing)
    const once = run.traceSize
    call.save(nothing)
    expect(run.traceSize).toBe(once)
    expect(trace.take()).toHaveLength(1)
  })
})

it('leaves out a call that is too large to be stored, and the step goes on', () => {
  const run = { traceSize: 0 }
  const trace = createPendingTrace(run, redactor)
  trace.open(step, 1).save({ ...nothing, model: 'x'.repeat(5_000_000) })
  expect(trace.take()).toEqual([])
  expect(run.traceSize).toBe(0)
})

describe('what looks like a credential', () => {
  it.each([
    [`key sk-${'a'.repeat(20)} here`, 'key •••••• here'],
    [`whsec_${'b'.repeat(10)}`, '••••••'],
    [`jwt=eyJ${'d'.repeat(10)}.e-f.g_h now`, 'jwt=•••••• now'],
    [`Authorization: Bearer ${'c'.repeat(12)}`, 'Authorization: Bearer ••••••'],
    [`"authorization":"Basic dXNlcjpwYXNz"`, '"authorization":"••••••"'],
    ['{"client_secret": "a\\"b", "id": "x"}', '{"client_secret": "••••••", "id": "x"}'],
    [JSON.stringify({ body: '{"password":"hunter2"}' }), JSON.stringify({ body: '{"password":"••••••"}' })],
  ])('%s is hidden', (text, shown) => {
    expect(hideCredentials(text)).toBe(shown)
  })

  it('is looked for in one pass, however long the text', () => {
    for (const part of ['eyJ-', 'sk-', 'bearer ', '"token" ', 'eyJabcdefgh.']) {
      const text = part.repeat(200_000 / part.length)
      expect(hideCredentials(text).length).toBeLessThanOrEqual(text.length)
    }
  })

  it.each(['Basic instructions for bearer shares', '{"max_tokens": 5000}', 'the token is in the box'])(
    '%s is not',
    (text) => {
      expect(hideCredentials(text)).toBe(text)
    },
  )
})
