/** Trying a draft before it is published. */
import { expect, it } from 'vitest'
import { engineApp } from '#test/harness/engine-app.ts'
import { finished, runsPath } from '#test/harness/runs.ts'
import { edge, makeWorkflow, node, workflowsPath } from '#test/harness/workflows.ts'

const app = await engineApp((_request, response) => response.end('{}'))
const { site } = app
const ana = await app.user()

const draft = {
  nodes: [
    node('double', { fields: { twice: 'input["n"] * 2' } }),
    node(
      'call',
      {
        url: `${site.origin}/{{ input.twice }}`,
        method: 'POST',
        authorization: 'Bearer hidden',
        body: { n: '{{ double.twice }}' },
      },
      'http_request',
    ),
    node('ask', { title: 'Go on?' }, 'approval'),
    node('end', { fields: { of: 'state["double"]["twice"]', seen: 'input' } }),
  ],
  edges: [edge('double', 'call'), edge('call', 'ask'), edge('ask', 'end', 'approved')],
  settings: {},
}
const test = async (id: string, body: object) => {
  const started = await ana.post(`${workflowsPath}/${id}/test-runs`, body)
  expect(started).toMatchObject({ status: 202, body: { is_test: true, version: 0, trigger: 'manual' } })
  return finished(ana, started.body.id)
}

it('a draft runs whole without effects: what it would have sent is shown, and nobody is called or asked', async () => {
  const { id } = await makeWorkflow(ana, draft)
  const run = await test(id, { input: { n: 4 }, effects: false })
  expect(run).toMatchObject({ status: 'succeeded', output: { of: 8 } })
  const [, call, ask] = run.steps
  expect(call).toMatchObject({
    output: { not_run: true, would_use: { url: `${site.origin}/8`, body: { n: 8 } } },
    warnings: [expect.stringContaining('was not run')],
  })
  expect(JSON.stringify(run)).not.toContain('hidden"')
  expect(ask).toMatchObject({ status: 'succeeded', handle: 'approved' })
  expect(site.requests).toEqual([])
  expect((await ana.get('/api/v1/approvals')).body.total ?? 0).toBe(0)
  const graph = await ana.get(`${runsPath}/${run.id}/graph`)
  expect(graph.body.nodes.map((one: { id: string }) => one.id)).toEqual(['double', 'call', 'ask', 'end'])
  expect(graph.text).not.toContain('Bearer hidden')
  const workflow = (await ana.get(`${workflowsPath}/${id}`)).body
  expect(workflow).toMatchObject({ status: 'Draft', live_version: null })
  expect((await ana.get(`${workflowsPath}/${id}/versions`)).body.versions).toEqual([])
})

it('one node runs alone on the results that are given, with its effects, and again on the changed draft', async () => {
  const { id } = await makeWorkflow(ana, draft)
  const outputs = { double: { twice: 21 } }
  const run = await test(id, { node_id: 'call', outputs })
  expect(run.steps.map(({ node_id, status, warnings }) => [node_id, status, warnings.length])).toEqual([
    ['double', 'succeeded', 1],
    ['call', 'succeeded', 0],
  ])
  expect(site.requests).toMatchObject([{ path: '/21', body: '{"n":21}', headers: { authorization: 'Bearer hidden' } }])
  const first = await test(id, { node_id: 'double', event: { event_type: 'x' }, outputs: { call: {} } })
  expect(first).toMatchObject({ status: 'failed' })
  const whole = await test(id, { outputs: { ...outputs, call: { status: 200 }, ask: { approved: false } } })
  expect(Object.fromEntries(whole.steps.map(({ node_id, status }) => [node_id, status]))).toMatchObject({
    end: 'skipped',
  })
})

it('a draft with problems is refused with them, one node only with its own, and unknown nodes are named', async () => {
  const broken = { ...draft, nodes: [...draft.nodes, node('bad', { fields: { x: '(' } })] }
  const { id } = await makeWorkflow(ana, broken)
  const path = `${workflowsPath}/${id}/test-runs`
  expect(await ana.post(path, {})).toMatchObject({ status: 422, body: { code: 'graph_invalid' } })
  expect(await ana.post(path, { node_id: 'bad' })).toMatchObject({ status: 422, body: { code: 'graph_invalid' } })
  expect(await test(id, { node_id: 'double', input: { n: 1 } })).toMatchObject({ status: 'succeeded' })
  const unknown = await ana.post(path, { node_id: 'gone', outputs: { nobody: 1 } })
  expect(unknown.body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([
    ['body', 'outputs', 'nobody'],
    ['body', 'node_id'],
  ])
})
