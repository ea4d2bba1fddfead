/** Chancery as an MCP server, asked by the official client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { rawRequest } from '#test/harness/raw.ts'
import { makePublished } from '#test/harness/workflows.ts'

const app = await testApp()

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
