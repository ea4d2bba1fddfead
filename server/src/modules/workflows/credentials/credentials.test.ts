/** Credentials of HTTP requests: what is sent where, and that no secret ever comes out again. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { finished, publish, readRun, runsPath, runThrough, startByHand } from '#test/harness/runs.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { edge, makeWorkflow, node, workflowsPath } from '#test/harness/workflows.ts'
import type { Answer } from '#test/peers/site.ts'

const echo: Answer = ({ headers }, response) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify({ seen: headers }))
let answer: Answer = echo
const app = await sharedApp((request, response) => answer(request, response))
const { site } = app
const ana = await app.user()
const eve = await app.user()

const path = '/api/v1/http-credentials'
const make = async (body: Record<string, unknown>) =>
  (await ana.post(path, { name: 'Shop', url: `${site.origin}/anything`, ...body })).body
const call = (credential_id: string, more: Record<string, unknown> = {}) => ({
  nodes: [node('call', { url: `${site.origin}/shop`, credential_id, ...more }, 'http_request')],
  edges: [],
})

describe('a credential', () => {
  it('is made, used by name and deleted; its secret is in no reply, row or audit entry', async () => {
    const made = await make({ kind: 'basic', username: 'ana', secret: 'never-to-be-seen' })
    expect(made).toMatchObject({ kind: 'basic', url: site.origin, username: 'ana', enabled: true, used_by: [] })
    const { id: workflowId } = await makeWorkflow(ana, call(made.id), 'Caller')
    expect((await ana.get(`${path}/${made.id}`)).body.used_by).toEqual([{ id: workflowId, name: 'Caller' }])
    expect((await ana.get(`${path}?search=sho`)).body).toMatchObject({ total: 1, items: [{ id: made.id }] })
    expect((await eve.get(path)).body.total).toBe(0)
    const { rows } = await sql<{ text: string }>`
      select c::text as text from http_credentials c union all select a::text from audit_log a`.execute(app.db)
    const replies = [(await ana.get(`${path}/${made.id}`)).text, (await ana.get(`${workflowsPath}/${workflowId}`)).text]
    for (const text of [...rows.map((row) => row.text), ...replies]) expect(text).not.toContain('never-to-be-seen')
    expect((await ana.delete(`${path}/${made.id}`)).status).toBe(204)
    expect((await ana.get(`${workflowsPath}/${workflowId}`)).body.problems).toMatchObject([
      { node_id: 'call', field: 'config.credential_id', message: "This credential doesn't exist." },
    ])
  })

  it('keeps its secret when it is changed, but has to get it again for another server', async () => {
    const { id } = await make({ kind: 'header', header: 'X-Shop', secret: 'kept-secret-value' })
    expect((await ana.patch(`${path}/${id}`, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed' })
    const moved = await ana.patch(`${path}/${id}`, { url: 'https://elsewhere.example' })
    expect(moved).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect((await ana.patch(`${path}/${id}`, { header: '' })).status).toBe(422)
    for (const header of ['Host', 'content-length', 'Connection', 'Transfer-Encoding'])
      expect(await ana.patch(`${path}/${id}`, { header })).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'header'], msg: expect.stringContaining('never sent') }] },
      })
    expect(
      await ana.post(path, { name: 'x', kind: 'header', header: 'Host', url: site.origin, secret: 's' }),
    ).toMatchObject({ status: 422 })
    expect((await ana.post(path, { name: 'x', kind: 'oauth2', url: site.origin, secret: 's' })).status).toBe(422)
    await runThrough(ana, call(id))
    expect(site.requests.at(-1)?.headers['x-shop']).toBe('kept-secret-value')
  })

  const kinds: [object, Record<string, string>][] = [
    [{ kind: 'bearer', secret: 'bearer-secret' }, { authorization: 'Bearer bearer-secret' }],
    [{ kind: 'basic', username: 'u', secret: 'basic-secret' }, { authorization: `Basic ${btoa('u:basic-secret')}` }],
  ]
  it.each(kinds)('%j is sent as it should be, and hidden where the server repeats it', async (body, headers) => {
    const { id } = await make({ ...body })
    const run = await runThrough(ana, call(id))
    expect(site.requests.at(-1)?.headers).toMatchObject(headers)
    expect(run).toMatchObject({ status: 'succeeded', output: { status: 200 } })
    const { text } = await ana.get(`${runsPath}/${run.id}`)
    for (const secret of Object.values(headers)) expect(text).not.toContain(secret.split(' ')[1])
  })

  it('is hidden however the server writes it: escaped in JSON, in a name, or in text', async () => {
    const secret = 'quote"back\\slash<&>'
    const { id } = await make({ kind: 'bearer', secret })
    const escaped = JSON.stringify(secret)
    const unicode = escaped.replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
    for (const [type, deep] of [['application/json', unicode] as const, ['text/plain', escaped] as const]) {
      answer = (_request, response) =>
        void response.setHeader('content-type', type).end(`{"deep": [${deep}], ${escaped}: "kept"}`)
      const run = await runThrough(ana, call(id))
      expect(run).toMatchObject({ status: 'succeeded', output: { status: 200 } })
      expect(JSON.stringify(run.output)).toContain('kept')
      expect(JSON.stringify(run)).not.toMatch(/slash/)
    }
    answer = echo
  })

  it('is refused for another server, before publication where that is known, and in the run', async () => {
    const { id } = await make({ kind: 'bearer', secret: 'only-for-the-shop' })
    const other = await makeWorkflow(ana, call(id, { url: 'https://elsewhere.example/shop' }))
    expect(other.problems).toMatchObject([{ message: `This credential is for ${site.origin} only.` }])
    const both = await makeWorkflow(ana, call(id, { authorization: 'Bearer mine' }))
    expect(both.problems).toMatchObject([{ field: 'config.credential_id' }])
    const graph = {
      nodes: [
        ...call(id, { url: '{{ input.url }}', on_error: 'continue' }).nodes,
        node('why', { fields: { code: 'input["code"]' } }),
      ],
      edges: [edge('call', 'why', 'error')],
    }
    const workflowId = await publish(ana, graph)
    const codeFor = async (url: string) =>
      (await finished(ana, (await startByHand(ana, workflowId, { url })).body.id)).output
    expect(await codeFor('https://elsewhere.example/')).toEqual({ code: 'credential_for_other_server' })
    await ana.patch(`${path}/${id}`, { enabled: false })
    expect(await codeFor(`${site.origin}/`)).toEqual({ code: 'credential_disabled' })
    await ana.delete(`${path}/${id}`)
    expect(await codeFor(`${site.origin}/`)).toEqual({ code: 'credential_not_found' })
  })
})

describe('OAuth 2 client credentials', () => {
  let tokens = 0
  let isRefused = false
  const issue: Answer = (request, response) => {
    if (request.path !== '/token') return echo(request, response)
    tokens += 1
    response.statusCode = isRefused ? 401 : 200
    response.setHeader('content-type', 'application/json')
    const granted = { access_token: `token-number-${tokens}`, token_type: 'Bearer', expires_in: 3600 }
    response.end(JSON.stringify(isRefused ? { error: 'invalid_client' } : granted))
  }

  it('fetch one token for many runs, and another shortly before it ends or when it is refused', async () => {
    answer = issue
    const client = { token_url: `${site.origin}/token`, client_id: 'us:er', scope: 'read', secret: 'client secret' }
    const { id } = await make({ kind: 'oauth2', ...client })
    const workflowId = await publish(ana, call(id, { retry: { initial_delay_ms: 0 } }))
    const run = async () => finished(ana, (await startByHand(ana, workflowId)).body.id)
    const runs = await Promise.all(Array.from({ length: 5 }, run))
    expect(runs.map(({ status }) => status)).toEqual(Array(5).fill('succeeded'))
    expect(tokens).toBe(1)
    const [asked] = site.requests.filter((request) => request.path === '/token')
    expect(asked).toMatchObject({
      body: 'grant_type=client_credentials&scope=read',
      headers: { authorization: `Basic ${btoa('us%3Aer:client+secret')}` },
    })
    expect(site.requests.at(-1)?.headers.authorization).toBe('Bearer token-number-1')
    expect((await ana.get(`${runsPath}/${runs[0]?.id}`)).text).not.toContain('token-number')

    app.clock.forward({ minutes: 59, ms: 45_000 })
    await run()
    expect(tokens).toBe(2)

    let refusals = 0
    answer = (request, response) => {
      if (request.headers.authorization !== 'Bearer token-number-2') return issue(request, response)
      refusals += 1
      response.writeHead(401).end()
    }
    expect(await run()).toMatchObject({ status: 'succeeded' })
    expect([refusals, tokens]).toEqual([1, 3])
  })

  it('that were moved to another server while a token was fetched are not sent to the one before', async () => {
    const client = { token_url: `${site.origin}/token`, client_id: 'a', secret: 'of the old server' }
    const { id } = await make({ kind: 'oauth2', ...client })
    const isAsked = Promise.withResolvers<() => void>()
    answer = (request, response) => {
      if (request.path !== '/token') return echo(request, response)
      answer = issue
      isAsked.resolve(() => void issue(request, response))
    }
    const workflowId = await publish(ana, call(id, { retry: { max_attempts: 1 } }))
    const start = async () => (await startByHand(ana, workflowId)).body.id
    const first = await start()
    const goOn = await isAsked.promise
    const second = await start()
    const moved = await ana.patch(`${path}/${id}`, { url: 'https://new.example', secret: 'of the new server' })
    expect(moved.status).toBe(200)
    const before = site.requests.length
    goOn()
    for (const runId of [first, second]) expect(await finished(ana, runId)).toMatchObject({ status: 'failed' })
    expect(site.requests.slice(before).map((request) => request.path)).not.toContain('/shop')
  })

  it('that the token server refuses fail the node at once, with its reason', async () => {
    answer = issue
    isRefused = true
    const { id } = await make({
      kind: 'oauth2',
      token_url: `${site.origin}/token`,
      client_id: 'a',
      secret: 'wrong-secret',
    })
    const run = await runThrough(ana, call(id))
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('401 (invalid_client)') })
    expect((await readRun(ana, run.id)).steps).toHaveLength(1)
  })
})
