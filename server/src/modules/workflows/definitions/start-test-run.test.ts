/** Trying a draft before it is published. */
import { describe, expect, it } from 'vitest'
import { finished, runsPath } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { edge, makeWorkflow, node, submitAndApprove, workflowsPath } from '#test/harness/workflows.ts'

const app = await sharedApp(({ path }, response) => response.writeHead(path === '/status/500' ? 500 : 200).end('{}'))
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

describe('a draft that nobody has reviewed', () => {
  const call = (path: string) =>
    node(
      path.replace('/', '-'),
      { url: `${site.origin}/${path}`, authorization: 'Bearer hidden', retry: { max_attempts: 1 } },
      'http_request',
    )
  const people = async (name: string) => {
    const admin = await app.user({ org: name })
    return { admin, member: await app.user({ org: name }) }
  }

  it.each([
    ['asked for', { effects: true }],
    ['by default', {}],
    ['of one node', { effects: true, node_id: 'draft-call' }],
  ])('has no effects when a member tests it, also when they are wanted: %s', async (_how, body) => {
    const { member } = await people(`draft-${app.unknownId()}`)
    site.requests.length = 0
    const { id } = await makeWorkflow(member, { nodes: [call('draft-call')], edges: [] })
    const started = await member.post(`${workflowsPath}/${id}/test-runs`, body)
    const run = await finished(member, started.body.id)
    expect(run.steps).toMatchObject([{ output: { not_run: true }, warnings: [expect.stringContaining('not run')] }])
    expect(site.requests).toEqual([])
  })

  it('has its effects when somebody tests it who may publish it, and goes on only for them', async () => {
    const { admin, member } = await people(`draft-${app.unknownId()}`)
    const { id } = await makeWorkflow(member, { nodes: [call('status/500')], edges: [] })
    const started = await admin.post(`${workflowsPath}/${id}/test-runs`, {})
    const run = await finished(admin, started.body.id)
    expect(run.status).toBe('failed')
    expect(site.requests.at(-1)).toMatchObject({ headers: { authorization: 'Bearer hidden' } })
    expect(await member.post(`${runsPath}/${run.id}/retry`)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await admin.post(`${runsPath}/${run.id}/retry`)).toMatchObject({ status: 202, body: { is_test: true } })
  })

  it('does not go on for a member who retries a published workflow that it called', async () => {
    const { admin, member } = await people(`draft-${app.unknownId()}`)
    const { id: called } = await makeWorkflow(member, { nodes: [call('status/500')], edges: [] })
    await submitAndApprove(member, called, admin)
    const graph = {
      nodes: [node('sub', { workflow_id: called }, 'subworkflow'), call('after')],
      edges: [edge('sub', 'after')],
    }
    const { id } = await makeWorkflow(member, graph)
    const started = await admin.post(`${workflowsPath}/${id}/test-runs`, {})
    const run = await finished(admin, started.body.id)
    const { body } = await member.get(`${runsPath}?parent_run_id=${run.id}`)
    const [child] = body.data
    expect(child).toMatchObject({ status: 'failed', is_test: false })
    expect((await member.post(`${runsPath}/${child.id}/retry`)).status).toBe(403)
  })
})
