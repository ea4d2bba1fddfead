/** Nodes that compute and join: code (JavaScript in the sandbox, or one expression) and merge. */
import { describe, expect, it } from 'vitest'
import { finished, publish, runThrough, runWhere, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { edge, makeWorkflow, node } from '#test/harness/workflows.ts'

const app = await sharedApp()
const ana = await app.user()
const code = (id: string, text: string, more: Record<string, unknown> = {}) => node(id, { code: text, ...more }, 'code')

describe('a code node', () => {
  it('computes its output from input, state and event, and its step shows what it logged', async () => {
    const source =
      'console.log("lines", input.lines.length)\nreturn { total: input.lines.reduce((sum, n) => sum + n, 0), event }'
    const run = await runThrough(
      ana,
      {
        nodes: [code('add', source), code('double', 'state["add"]["total"] * 2', { language: 'expression' })],
        edges: [edge('add', 'double')],
      },
      { lines: [1, 2, 3] },
    )
    expect(run).toMatchObject({ status: 'succeeded', output: 12 })
    expect(run.steps).toMatchObject([
      { node_id: 'add', output: { total: 6, event: null }, logs: ['lines 3'] },
      { node_id: 'double', output: 12, logs: [] },
    ])
  })

  it('fails once, with the line, and leaves its log and a code for the nodes along "error"', async () => {
    const nodes = [
      code('bad', 'console.log("before")\nreturn input.map((one) => one)', { on_error: 'continue' }),
      code('say', 'input["code"]', { language: 'expression' }),
    ]
    const run = await runThrough(ana, { nodes, edges: [edge('bad', 'say', 'error')] }, {})
    expect(run).toMatchObject({ status: 'succeeded', output: 'code_threw' })
    expect(run.steps[0]).toMatchObject({
      status: 'failed',
      attempt: 1,
      error: expect.stringMatching(/^Line 2: /),
      output: { line: 2 },
      logs: ['before'],
    })
  })

  it('with a typing mistake has a problem before it is published', async () => {
    const made = await makeWorkflow(ana, { nodes: [code('bad', 'const a = 1\nreturn (a')], edges: [] })
    expect(made.problems).toMatchObject([
      { node_id: 'bad', field: 'config.code', message: expect.stringContaining('line 2') },
    ])
  })
})

describe('a merge', () => {
  const branch = (id: string) => node(id, { fields: { by: `"${id}"` } })
  const check = node('check', { expression: 'input["b"]' }, 'condition')
  const edges = [edge('a', 'm'), edge('check', 'b', 'true'), edge('b', 'm')]
  const merging = (mode: string) => ({ nodes: [branch('a'), check, branch('b'), node('m', { mode }, 'merge')], edges })

  it('of all branches has each result by its node, and none of a branch that was not taken', async () => {
    const both = await runThrough(ana, merging('all'), { b: true })
    expect(both).toMatchObject({ status: 'succeeded', output: { a: { by: 'a' }, b: { by: 'b' } } })
    const one = await runThrough(ana, merging('all'), { b: false })
    expect(one.steps.find(({ node_id }) => node_id === 'm')?.output).toEqual({ a: { by: 'a' } })
  })

  it('of any branch goes on with the first, while another one still waits', async () => {
    const nodes = [
      branch('a'),
      node('late', { event_type: 'later' }, 'wait'),
      node('m', { mode: 'any' }, 'merge'),
      branch('after'),
    ]
    const graph = { nodes, edges: [edge('a', 'm'), edge('late', 'm'), edge('m', 'after')] }
    const { body } = await startByHand(ana, await publish(ana, graph))
    const waiting = await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    expect(waiting.steps.find(({ node_id }) => node_id === 'm')?.output).toEqual({ branch: 'a', output: { by: 'a' } })
    expect(waiting.steps.find(({ node_id }) => node_id === 'after')?.status).toBe('succeeded')
    const event = { scopeId: ana.id, eventType: 'later', source: 'test', userId: null, payload: {} }
    await app.ports.eventBus.ingest(event)
    const run = await finished(ana, body.id)
    expect(run).toMatchObject({ status: 'succeeded', output: { by: 'after' } })
    expect(run.steps).toHaveLength(4)
  })
})
