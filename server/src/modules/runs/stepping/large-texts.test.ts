/** Texts and lists that name a long value thousands of times: the step fails, and the server stays. */
import { describe, expect, it } from 'vitest'
import { finished, runThrough } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { edge, makeWorkflow, node, workflowsPath } from '#test/harness/workflows.ts'

const app = await sharedApp()
const ana = await app.user()
const input = { text: 'x'.repeat(950_000) }
const often = '{{input.text}}'.repeat(7000)
const url = `${app.site.origin}/large`
const retry = { max_attempts: 1 }

describe('a text that would have gigabytes once it is filled in', () => {
  it.each([
    ['the message of an approval', node('n', { title: 'Go on?', message: often }, 'approval')],
    ['the title of an approval', node('n', { title: often }, 'approval')],
    ['the prompt of an agent', node('n', { model: 'guide', prompt: often, retry }, 'agent')],
    ['the system prompt of an agent', node('n', { model: 'guide', system_prompt: often, retry }, 'agent')],
    ['the body of a request', node('n', { url, method: 'POST', body: { a: [often] }, retry }, 'http_request')],
    ['a header of a request', node('n', { url, headers: { 'x-a': often }, retry }, 'http_request')],
    ['an event', node('n', { event_type: 'large_text', payload: { a: often } }, 'emit_event')],
    [
      'a list in an event',
      node('n', { event_type: 'large_text', payload: Array(2000).fill('{{input}}') }, 'emit_event'),
    ],
    ['the correlation of an event', node('n', { event_type: 'large_text', correlation_id: often }, 'emit_event')],
  ])('fails its step with a code: %s', async (_place, given) => {
    const failing = { ...given, config: { ...given.config, on_error: 'continue' } }
    const graph = { nodes: [failing, node('after')], edges: [edge('n', 'after', 'error')] }
    const { steps } = await runThrough(ana, graph, input)
    expect(steps[0]).toMatchObject({ node_id: 'n', status: 'failed', attempt: 1, output: { code: 'text_too_long' } })
    expect(steps[1]).toMatchObject({ node_id: 'after', status: 'succeeded' })
    expect(app.site.requests).toEqual([])
  })

  it('is refused in an expression as well', async () => {
    const fields = { many: '[input["text"]] * 9000' }
    expect(await runThrough(ana, { nodes: [node('n', { fields })], edges: [] }, input)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('LimitExceeded'),
    })
  })
})

it('is refused as thousands of fields that each name a long value, and other runs go on meanwhile', async () => {
  const fields = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`f${index}`, '[input]']))
  const runs = await Promise.all([
    runThrough(ana, { nodes: [node('n', { fields, retry })], edges: [] }, input),
    runThrough(await app.user(), { nodes: [node('n', { fields: { two: '1 + 1' } })], edges: [] }, input),
  ])
  expect(runs).toMatchObject([
    { status: 'failed', error: expect.stringContaining('LimitExceeded: a result of more than') },
    { status: 'succeeded', output: { two: 2 } },
  ])
})

it('is refused in a test without effects, which shows what a node would have used', async () => {
  const given = node('n', { event_type: 'large_text', payload: { a: often } }, 'emit_event')
  const { id } = await makeWorkflow(ana, { nodes: [given], edges: [] })
  const started = await ana.post(`${workflowsPath}/${id}/test-runs`, { input, effects: false })
  const { steps } = await finished(ana, started.body.id)
  expect(steps).toMatchObject([{ status: 'failed', output: { code: 'text_too_long' } }])
})
