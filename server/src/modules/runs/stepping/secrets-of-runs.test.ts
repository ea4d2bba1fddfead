/** A server repeats what it was sent: nothing that the run keeps has it, whichever node brings it in. */
import { hiddenSecret } from '@chancery/contract/plugins/secret-headers.ts'
import { describe, expect, it } from 'vitest'
import { finished, publish, runsPath, runThrough, runWhere, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { edge, node } from '#test/harness/workflows.ts'

const secret = 's/cret"of+ana&co'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const spellings = [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  base64(secret),
  base64(`ana:${secret}`),
]
/** The spellings of the secret that somebody could read in a text. */
const readable = (text: string) => spellings.filter((written) => text.includes(written))

/** It has learnt the secret with the first request, and says it to everybody. */
const app = await sharedApp(({ path, headers }, response) => {
  const said = { headers, spellings, count: 3, page: JSON.stringify({ secret }) }
  if (path === '/text') response.setHeader('x-said', encodeURIComponent(secret)).end(spellings.join('\n'))
  else
    response
      .writeHead(path === '/refused' ? 401 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(said))
})
const { site } = app
const ana = await app.user()
const get = (id: string, config: object = {}) =>
  node(id, { url: `${site.origin}/${id}`, retry: { max_attempts: 1 }, ...config }, 'http_request')

const credential = async () => {
  const body = { name: `shop ${app.unknownId()}`, kind: 'basic', url: site.origin, username: 'ana', secret }
  return { credential_id: (await ana.post('/api/v1/http-credentials', body)).body.id }
}

describe('a secret of an HTTP node that the server repeats', () => {
  it.each([
    ['its authorization', async () => ({ authorization: `Basic ${base64(`ana:${secret}`)}` })],
    ['a header', async () => ({ headers: { 'x-api-key': secret } })],
    ['a stored credential', credential],
  ])('is hidden in what this node and all others bring in: %s', async (_kind, configOf) => {
    const config = await configOf()
    const graph = {
      nodes: [get('first', config), get('later'), get('text'), get('refused', { ...config, on_error: 'continue' })],
      edges: [edge('first', 'later'), edge('later', 'text'), edge('text', 'refused')],
    }
    const run = await runThrough(ana, graph)
    expect(run.steps.map(({ node_id, status }) => `${node_id} ${status}`)).toEqual([
      'first succeeded',
      'later succeeded',
      'text succeeded',
      'refused failed',
    ])
    expect(site.requests.at(-1)?.headers).toMatchObject('headers' in config ? { 'x-api-key': secret } : {})
    for (const path of ['', '/stream', '/graph']) {
      const { text } = await ana.get(`${runsPath}/${run.id}${path}`)
      expect(readable(text), path).toEqual([])
    }
    // The rest of the answer stays as it was.
    expect(run.steps[1]?.output).toMatchObject({
      status: 200,
      body: { count: 3, page: `{"secret":"${hiddenSecret}"}` },
    })
  })

  it('is hidden in what a workflow brings in that the run calls', async () => {
    const called = await publish(ana, { nodes: [get('echo')], edges: [] })
    const between = await publish(ana, { nodes: [node('sub', { workflow_id: called }, 'subworkflow')], edges: [] })
    const graph = {
      nodes: [get('first', await credential()), node('sub', { workflow_id: between }, 'subworkflow')],
      edges: [edge('first', 'sub')],
    }
    const run = await runThrough(ana, graph)
    const childOf = async (id: string) => (await ana.get(`${runsPath}?parent_run_id=${id}`)).body.data[0].id
    const child = await ana.get(`${runsPath}/${await childOf(await childOf(run.id))}`)
    expect(child.body.steps).toMatchObject([{ node_id: 'echo', status: 'succeeded', output: { body: { count: 3 } } }])
    expect(readable(child.text)).toEqual([])
  })

  it('is hidden in logs, errors, events and approvals', async () => {
    const both = '{{ state.input.a }}{{ state.input.b }}'
    const type = `said_${app.unknownId().replaceAll('-', '_')}`
    const graph = {
      nodes: [
        get('first', { headers: { 'x-api-key': secret } }),
        node(
          'log',
          { code: 'console.log(state.input.a + state.input.b)\nreturn state.input.a + state.input.b' },
          'code',
        ),
        node('emit', { event_type: type, payload: { both }, correlation_id: both }, 'emit_event'),
        node('ask', { title: both, message: `Is it ${both}?` }, 'approval'),
        node('throw', { code: 'throw new Error(state.input.a + state.input.b)', retry: { max_attempts: 1 } }, 'code'),
      ],
      edges: [edge('first', 'log'), edge('log', 'emit'), edge('emit', 'ask'), edge('ask', 'throw', 'approved')],
    }
    const id = await publish(ana, graph)
    const { body } = await startByHand(ana, id, { a: secret.slice(0, 8), b: secret.slice(8) })
    const waiting = await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    const step = waiting.steps.find(({ node_id }) => node_id === 'ask')
    const approvals = await ana.get('/api/v1/approvals')
    expect(approvals.text).toContain(`Is it ${hiddenSecret}?`)
    await ana.post(`${runsPath}/${body.id}/approvals/${step?.id}`, { approved: true })
    const run = await finished(ana, body.id)
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining(hiddenSecret) })
    expect(run.steps[1]).toMatchObject({ output: hiddenSecret, logs: [hiddenSecret] })
    const events = await ana.get(`/api/v1/events?event_type=${type}`)
    expect(events.text).toContain(hiddenSecret)
    const stream = await ana.get(`${runsPath}/${run.id}/stream`)
    for (const text of [JSON.stringify(run), stream.text, events.text, approvals.text])
      expect(readable(text)).toEqual([])
  })
})
