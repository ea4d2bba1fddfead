/** Built-in tools, and Chancery as an MCP server, asked by the official client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
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
    ['9 ** 9 ** 9', "Error: It can't be calculated"],
    ['__import__("os")', "Error: It can't be calculated"],
  ])('answers %s', async (expression, answer) => {
    provider.script({ toolCalls: [{ name: 'calculate', arguments: { expression } }] }, { text: 'Done.' })
    await (await app.user()).post(path, { model: 'swift', messages, tool_ids: ['builtin:calculator'] })
    expect(told()).toContain(answer)
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
