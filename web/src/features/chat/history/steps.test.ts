import { describe, expect, it } from 'vitest'
import { codeRunsOf, statusLineOf, toolCallsOf } from './steps.ts'

const message = (fields: Record<string, unknown>) => ({
  id: 'm',
  role: 'assistant',
  content: '',
  parentId: null,
  childrenIds: [],
  timestamp: 1,
  ...fields,
})

describe('statuses', () => {
  const lineOf = (...statusHistory: unknown[]) => statusLineOf(message({ statusHistory }))

  it('show the last one, and keep all of them', () => {
    const line = lineOf({ description: 'Reading', done: false }, { description: 'Read', done: true })
    expect(line.current).toEqual({ description: 'Read', isDone: true })
    expect(line.history).toHaveLength(2)
  })

  it('that are hidden are in the history only', () => {
    const line = lineOf({ description: 'Reading' }, { description: 'Secretly', hidden: true })
    expect(line).toMatchObject({ current: undefined, history: [{}, { description: 'Secretly' }] })
  })

  it('that are malformed, empty or those of tools are skipped', () => {
    expect(lineOf(null, 'x', { done: true }, { description: 'Using x', call: { id: '1' } })).toEqual({
      current: undefined,
      history: [],
    })
    expect(statusLineOf(message({ statusHistory: 7 }))).toEqual({ current: undefined, history: [] })
  })
})

describe('tool calls', () => {
  const start = (id: string, name: string) => ({ call: { id, name, arguments: '{"a":1}' } })
  const end = (id: string, output: string) => ({ call: { id, output, duration_ms: 12 } })

  it('are joined from their start and their end, also when two run at once or an ID comes again', () => {
    const statusHistory = [start('1', 'x'), start('2', 'y'), end('1', 'one'), end('2', '{"b":2}'), start('1', 'z')]
    expect(toolCallsOf(message({ statusHistory }))).toMatchObject([
      { name: 'x', input: { a: 1 }, output: 'one', durationMs: 12 },
      { name: 'y', output: { b: 2 } },
      { name: 'z', output: undefined },
    ])
  })

  it('with arguments that are no JSON show them as text', () => {
    const statusHistory = [{ call: { id: '1', name: 'x', arguments: '{broken' } }, { call: 'no' }, end('9', 'lost')]
    expect(toolCallsOf(message({ statusHistory }))).toMatchObject([{ input: '{broken' }])
  })
})

it('runs of code have a result once they are done', () => {
  const runs = [
    { type: 'code_execution', id: '1', name: 'Sum', code: '1+1', language: 'javascript' },
    { id: '2', code: 'x', result: { output: '', error: 'x is not defined' } },
  ]
  expect(codeRunsOf(message({ code_executions: runs }))).toMatchObject([
    { name: 'Sum', isDone: false },
    { name: 'Code', isDone: true, error: 'x is not defined' },
  ])
})
