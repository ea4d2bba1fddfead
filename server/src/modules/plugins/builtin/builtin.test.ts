/** Built-in tools, and Chancery as an MCP server, asked by the official client. */
import { createHash } from 'node:crypto'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { rawRequest } from '#test/harness/raw.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { makePublished } from '#test/harness/workflows.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const path = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Say it.' }]
const told = () => provider.calls().at(-1)?.body.messages.at(-1).content

describe('the calculator', () => {
  it.each([
    ['(12.5 * 3) / 7', '5.357142857142857'],
    ['2 ** 10 % 7', '2'],
    ['1 +', "Error: It can't be calculated"],
  ])('answers %s', async (expression, answer) => {
    provider.script({ toolCalls: [{ name: 'calculate', arguments: { expression } }] }, { text: 'Done.' })
    await (await app.user()).post(path, { model: 'swift', messages, tool_ids: ['builtin:calculator'] })
    expect(told()).toContain(answer)
  })

  it('A41: refuses what is not arithmetic, however it is written, and goes on calculating', async () => {
    const hostile = [
      '9 ** 9 ** 9',
      "'a' * 10 ** 9",
      '[1] * 10 ** 9',
      `${'('.repeat(1e5)}1${')'.repeat(1e5)}`,
      '-'.repeat(1e5),
      '__import__("os")',
      '().__class__.__bases__',
      '(1).constructor',
      'lambda: 1',
      '[1 for a in [1] * 99999 for b in [1] * 99999]',
      'while True: pass',
      'globalThis',
      'process.exit()',
      '1; 2',
      '/^(a+)+$/.test("aaaa!")',
    ]
    const toolCalls = [...hostile, '6 * 7'].map((expression) => ({ name: 'calculate', arguments: { expression } }))
    provider.script({ toolCalls }, { text: 'Done.' })
    await (await app.user()).post(path, { model: 'swift', messages, tool_ids: ['builtin:calculator'] })
    const answers = provider
      .calls()
      .at(-1)
      ?.body.messages.slice(-toolCalls.length)
      .map(({ content }: { content: string }) => content)
    for (const [index, answer] of answers.slice(0, -1).entries()) expect(answer, hostile[index]).toMatch(/^Error: /)
    expect(answers.at(-1)).toBe('42')
  })
})

describe('the code interpreter', () => {
  it('runs JavaScript where the feature is on, and shows the run with the message', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    const code = 'const sum = [1, 2, 3].reduce((a, b) => a + b)\\nconsole.log("sum", sum)\\nreturn sum * 2'.replaceAll(
      '\\n',
      '\n',
    )
    provider.script({ toolCalls: [{ name: 'run_javascript', arguments: { code } }] }, { text: 'Done.' })
    await ana.post(path, { model: 'swift', ...chat.body, features: { code_interpreter: true } })
    expect(told()).toBe('sum 6\n12')
    expect((await chat.done()).code_executions).toMatchObject([
      { type: 'code_execution', language: 'javascript', code, result: { output: 'sum 6\n12' } },
    ])
  })

  it('has no network and no escape, and tells what failed', async () => {
    const ana = await app.user()
    for (const [code, words] of [
      ['await fetch("https://example.test")', 'no network'],
      ['return process.env', 'process'],
      ['} constructor() { throw new Error("out") }', ''],
    ]) {
      provider.script({ toolCalls: [{ name: 'run_javascript', arguments: { code } }] }, { text: 'Done.' })
      await ana.post(path, { model: 'swift', messages, features: { code_interpreter: true } })
      expect(told()).toMatch(/^Error: /)
      expect(told()).toContain(words)
    }
  })
})

describe('Python', () => {
  const run = async (code: string, answer?: (event: { data: unknown }, reply: (value: unknown) => void) => void) => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    const socket = await createSockets(app.url).connectAs(ana)
    socket.on('events', (event, reply) => reply && answer?.(event, reply))
    provider.script({ toolCalls: [{ name: 'run_python', arguments: { code } }] }, { text: 'Done.' })
    const session = { session_id: answer ? socket.id : 'nobody' }
    await ana.post(path, { model: 'swift', ...chat.body, ...session, features: { code_interpreter: true } })
    return (await chat.done()).code_executions
  }

  it('runs in the browser that asked, and the run is stored with its result', async () => {
    const asked: unknown[] = []
    const runs = await run('print(6 * 7)', ({ data }, reply) => {
      asked.push(data)
      reply({ output: '42\n' })
    })
    expect(asked).toMatchObject([{ type: 'execute:python', data: { code: 'print(6 * 7)' } }])
    expect(told()).toBe('42\n')
    expect(runs).toMatchObject([{ language: 'python', code: 'print(6 * 7)', result: { output: '42\n' } }])
  })

  it.each([
    ['an error', { output: 'one\n', error: 'ZeroDivisionError' }, 'Error: one\n\nZeroDivisionError'],
    ['what is no result', 'forty-two', 'Error: The browser can’t run Python.'],
    ['nothing to read', { output: 7, error: 8 }, 'It ran and printed nothing.'],
  ])('tells the model when the browser answers with %s', async (_what, answer, words) => {
    await run('1 / 0', (_event, reply) => reply(answer))
    expect(told()).toBe(words)
  })

  it('fails at once without a browser, and isn’t offered to requests that have none', async () => {
    const runs = await run('print(1)')
    expect(told()).toContain('not connected')
    expect(runs).toMatchObject([{ result: { error: expect.stringContaining('not connected') } }])
    await (await app.user()).post(path, { model: 'swift', messages, features: { code_interpreter: true } })
    const offered = provider
      .calls()
      .at(-1)
      ?.body.tools.map(({ function: { name } }: { function: { name: string } }) => name)
    expect(offered).toEqual(['run_javascript'])
  })
})

describe('/mcp', () => {
  const connect = async (token: string) => {
    const client = new Client({ name: 'a client', version: '1' })
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit }) as never)
    return client
  }
  const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? ''

  it('offers the caller’s tools to the official client, with a key: chats are searched, workflows started', async () => {
    const ana = await app.user({ org: 'mcp' })
    const { key } = (await ana.post('/api/v1/api-keys', { name: 'mcp', allowed_routes: ['/mcp'] })).body
    await prepareChat(ana, { question: 'Where do pelicans sleep?' })
    const flow = await makePublished(ana)
    const client = await connect(key)
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).not.toContain('run_python')
    expect(names).toEqual(
      expect.arrayContaining([
        'search_chats',
        'search_knowledge',
        'current_time',
        'calculate',
        'list_workflows',
        'start_workflow',
        'send_for_signature',
      ]),
    )
    const found = await client.callTool({ name: 'search_chats', arguments: { query: 'pelicans' } })
    expect(textOf(found)).toContain('pelicans')
    const listed = textOf(await client.callTool({ name: 'list_workflows', arguments: {} }))
    expect(JSON.parse(listed)).toMatchObject([{ id: flow.id }])
    const started = JSON.parse(
      textOf(await client.callTool({ name: 'start_workflow', arguments: { workflow_id: flow.id } })),
    )
    await expect
      .poll(async () =>
        textOf(await client.callTool({ name: 'get_workflow_run', arguments: { run_id: started.run_id } })),
      )
      .toContain('"status":"succeeded"')
    await client.close()
  })

  it('signs the official client in with OAuth: it registers, the person allows it, and it gets a key for /mcp alone', async () => {
    const ana = await app.user()
    // The address that the instance has for others, as the client would reach it.
    const { resource } = (await app.newcomer().get('/.well-known/oauth-protected-resource/mcp')).body
    const base = new URL(resource).origin
    expect((await app.newcomer().post('/mcp', {})).headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
    )
    const reach = (address: string | URL, init?: RequestInit) => fetch(String(address).replace(base, app.url), init)
    const remembered: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; page?: URL } = {}
    const redirectUrl = 'http://127.0.0.1:7777/callback'
    const authProvider: OAuthClientProvider = {
      redirectUrl,
      clientMetadata: { client_name: 'A desktop client', redirect_uris: [redirectUrl] },
      state: () => 'a state',
      clientInformation: () => remembered.client,
      saveClientInformation: (client) => void Object.assign(remembered, { client }),
      tokens: () => remembered.tokens,
      saveTokens: (tokens) => void Object.assign(remembered, { tokens }),
      saveCodeVerifier: (verifier) => void Object.assign(remembered, { verifier }),
      codeVerifier: () => remembered.verifier ?? '',
      redirectToAuthorization: (page) => void Object.assign(remembered, { page }),
    }
    const transport = () => new StreamableHTTPClientTransport(new URL(resource), { authProvider, fetch: reach })
    const first = transport()
    await expect(new Client({ name: 'a client', version: '1' }).connect(first as never)).rejects.toThrow('Unauthorized')
    expect(remembered.page?.pathname).toBe('/account/connect')
    const asked = Object.fromEntries(remembered.page?.searchParams ?? [])
    const consent = '/api/v1/mcp/consent'
    expect((await ana.get(`${consent}${remembered.page?.search}`)).body).toEqual({
      client_name: 'A desktop client',
      return_to: '127.0.0.1:7777',
    })
    for (const wrong of [
      { redirect_uri: 'https://evil.test/' },
      { client_id: 'forged' },
      { resource: 'https://evil.test/' },
    ])
      expect(await ana.post(consent, { ...asked, ...wrong })).toMatchObject({
        status: 400,
        body: { code: 'mcp_client_invalid' },
      })
    const granted = new URL((await ana.post(consent, asked)).body.redirect_to)
    expect([granted.host, granted.searchParams.get('state')]).toEqual(['127.0.0.1:7777', 'a state'])
    await first.finishAuth(granted.searchParams.get('code') ?? '')

    const client = new Client({ name: 'a client', version: '1' })
    await client.connect(transport() as never)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_chats')
    await client.close()
    const key = createClient(app.url, bearer(remembered.tokens?.access_token ?? ''))
    expect(await key.get('/api/v1/chats')).toMatchObject({ status: 403 })
    expect((await ana.get('/api/v1/api-keys')).text).toContain('A desktop client (MCP)')

    const firstToken = remembered.tokens?.access_token
    app.clock.forward({ minutes: 61 })
    await client.connect(transport() as never)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_chats')
    await client.close()
    expect(remembered.tokens?.access_token).not.toBe(firstToken)
    expect((await ana.get('/api/v1/api-keys')).body).toMatchObject({ total: 1 })
  })

  it('gives access for an hour, renews it once for each refresh token, and cuts off one that is used again', async () => {
    const ana = await app.user()
    const post = app.newcomer().post
    const redirect_uri = 'myapp://signed-in'
    const { client_id } = (await post('/api/public/mcp/register', { redirect_uris: [redirect_uri] })).body
    const code_verifier = 'v'.repeat(43)
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const asked = { client_id, redirect_uri, response_type: 'code', code_challenge, code_challenge_method: 'S256' }
    const ask = async (form: Record<string, string>) => {
      const body = new URLSearchParams({ client_id, ...form })
      const reply = await fetch(`${app.url}/api/public/mcp/token`, { method: 'POST', body })
      return (await reply.json()) as Record<string, string>
    }
    const signIn = async () => {
      const { redirect_to } = (await ana.post('/api/v1/mcp/consent', asked)).body
      const code = new URL(redirect_to).searchParams.get('code') ?? ''
      return ask({ grant_type: 'authorization_code', code, redirect_uri, code_verifier })
    }
    const renew = (refresh_token = '', more = {}) => ask({ grant_type: 'refresh_token', refresh_token, ...more })
    const statusOf = async (token = '') => (await createClient(app.url, bearer(token)).get('/mcp')).status
    const refused = { error: 'invalid_grant' }

    const first = await signIn()
    expect(first).toMatchObject({ token_type: 'Bearer', expires_in: 3600, refresh_token: expect.any(String) })
    expect(await statusOf(first.access_token)).toBe(405)
    app.clock.forward({ minutes: 61 })
    expect(await statusOf(first.access_token)).toBe(401)
    expect(await renew(first.refresh_token, { client_id: 'another' })).toMatchObject(refused)
    expect(await renew('unknown')).toMatchObject(refused)
    const second = await renew(first.refresh_token)
    expect(await statusOf(second.access_token)).toBe(405)
    expect((await ana.get('/api/v1/api-keys')).body).toMatchObject({ total: 1, items: [{ allowed_routes: ['/mcp'] }] })

    app.clock.forward({ minutes: 2 })
    expect(await renew(first.refresh_token)).toMatchObject(refused)
    expect(await statusOf(second.access_token)).toBe(401)
    expect(await renew(second.refresh_token)).toMatchObject(refused)

    const third = await signIn()
    const [{ id }] = (await ana.get('/api/v1/api-keys')).body.items
    expect((await ana.delete(`/api/v1/api-keys/${id}`)).status).toBe(204)
    expect(await renew(third.refresh_token)).toMatchObject(refused)
    const fourth = await signIn()
    app.clock.forward({ days: 31 })
    expect(await renew(fourth.refresh_token)).toMatchObject(refused)
  })

  it('refuses foreign pages and names that point here, also with a key', async () => {
    const { token } = await app.user()
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' }
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const ask = (more: object, method = 'POST') =>
      rawRequest(app.url, {
        method,
        path: '/mcp',
        headers: { ...headers, 'content-type': 'application/json', ...more },
        ...(method === 'POST' && { body: list }),
      })
    for (const foreign of [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { host: 'evil.test' },
      { host: 'evil.test', origin: 'http://evil.test' },
    ])
      for (const method of ['POST', 'GET'])
        expect((await ask(foreign, method)).status, JSON.stringify(foreign)).toBe(403)
    expect((await ask({})).status).toBe(200)
    expect((await ask({ origin: app.url })).status).toBe(200)
  })

  it('counts each message of a batch against the rate', async () => {
    const ana = await app.user()
    const batch = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
    const headers = { accept: 'application/json, text/event-stream' }
    const post = async (count: number) => (await ana.post('/mcp', batch(count), headers)).status
    expect(await post(20)).toBe(200)
    expect(await post(700)).toBe(429)
    expect(await post(1)).toBe(429)
  })

  it('refuses codes that are used, too old, stolen or another client’s, and addresses that run code', async () => {
    const ana = await app.user()
    const [post, token] = [app.newcomer().post, '/api/public/mcp/token']
    const redirect_uri = 'myapp://signed-in'
    const { client_id } = (await post('/api/public/mcp/register', { redirect_uris: [redirect_uri] })).body
    const verifier = 'v'.repeat(43)
    const code_challenge = createHash('sha256').update(verifier).digest('base64url')
    const asked = { client_id, redirect_uri, response_type: 'code', code_challenge, code_challenge_method: 'S256' }
    const newCode = async () =>
      new URL((await ana.post('/api/v1/mcp/consent', asked)).body.redirect_to).searchParams.get('code')
    const redeem = async (code: string | null, more = {}) => {
      const form = {
        grant_type: 'authorization_code',
        code: code ?? '',
        client_id,
        redirect_uri,
        code_verifier: verifier,
      }
      const body = new URLSearchParams({ ...form, ...more })
      const reply = await fetch(app.url + token, { method: 'POST', body })
      return [reply.status, ((await reply.json()) as { error?: string }).error]
    }
    const countKeys = async () => (await ana.get('/api/v1/api-keys')).body.total
    const code = await newCode()
    expect(await countKeys()).toBe(0)
    expect(await redeem(code)).toEqual([200, undefined])
    expect(await countKeys()).toBe(1)
    // Used twice, it may be stolen: its key is revoked.
    expect(await redeem(code)).toEqual([400, 'invalid_grant'])
    expect(await countKeys()).toBe(0)
    expect(await redeem(code)).toEqual([400, 'invalid_grant'])
    const raced = await newCode()
    const statuses = (await Promise.all([redeem(raced), redeem(raced)])).map(([status]) => status)
    expect([statuses.sort(), await countKeys()]).toEqual([[200, 400], 0])
    for (const wrong of [{ code_verifier: 'w'.repeat(43) }, { client_id: 'x' }, { redirect_uri: 'myapp://elsewhere' }])
      expect(await redeem(await newCode(), wrong)).toEqual([400, 'invalid_grant'])
    expect(await redeem(await newCode(), { grant_type: 'password' })).toEqual([400, 'unsupported_grant_type'])
    const signedOut = await newCode()
    await sql`update sessions set revoked_at = now() where principal_id = ${ana.id}`.execute(app.db)
    expect(await redeem(signedOut)).toEqual([400, 'invalid_grant'])
    await sql`update sessions set revoked_at = null where principal_id = ${ana.id}`.execute(app.db)
    const old = await newCode()
    app.clock.forward({ minutes: 11 })
    expect(await redeem(old)).toEqual([400, 'invalid_grant'])
    expect(await countKeys()).toBe(0)
    for (const bad of ['javascript:alert(1)', 'http://evil.test/', 'data:text/html,x', 'https://a.test/#x', 'nonsense'])
      expect(await post('/api/public/mcp/register', { redirect_uris: [bad] })).toMatchObject({
        status: 400,
        body: { error: 'invalid_redirect_uri' },
      })
  })

  it('shows nothing of others, names failures, and refuses strangers and other methods', async () => {
    const [ana, ben] = [await app.user({ org: 'one' }), await app.user({ org: 'two' })]
    const flow = await makePublished(ana)
    const client = await connect(ben.token)
    const started = await client.callTool({ name: 'start_workflow', arguments: { workflow_id: flow.id } })
    expect(started).toMatchObject({ isError: true })
    expect(await client.callTool({ name: 'nothing', arguments: {} })).toMatchObject({ isError: true })
    await client.close()
    await expect(connect('wrong')).rejects.toThrow()
    expect((await ben.get('/mcp')).status).toBe(405)
  })
})
