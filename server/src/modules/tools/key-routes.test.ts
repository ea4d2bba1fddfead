/** Built-in tools do for a key no more than its routes do, whichever door calls them; and people can be asked first. */
import { afterEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { bearer, type Client, createClient } from '#test/harness/client.ts'
import type { Person } from '#test/harness/people.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { makePublished, makeWorkflow, node, workflowsPath } from '#test/harness/workflows.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { startSite } from '#test/peers/site.ts'

const provider = await startModelProvider({ models: ['swift'] })
const site = await startSite((_request, response) => response.end('<p>A page.</p>'))
const app: TestApp = await testApp({
  env: { COMPAT_API_BASE_URL: provider.url, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` },
})
const completions = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Do it.' }]

const keyOf = async (person: Client, ...routes: string[]): Promise<Client> => {
  const { body } = await person.post('/api/v1/api-keys', { name: 'a key', allowed_routes: routes })
  return createClient(app.url, bearer(body.key))
}
const ask = (
  client: Client,
  tool: string,
  call: { name: string; arguments: Record<string, unknown> },
  more: object = {},
) => {
  provider.script({ toolCalls: [call] }, { text: 'Done.' })
  return client.post(completions, { model: 'swift', messages, tool_ids: [tool], ...more })
}
const told = () => provider.calls().at(-1)?.body.messages.at(-1).content

describe('a key held to completions', () => {
  it.each([
    'builtin:chats',
    'builtin:memory',
    'builtin:signing',
    'builtin:draft_document',
    'builtin:workflows',
    'builtin:knowledge',
    'builtin:web',
  ])('gets no %s, and is told which tool it named', async (id) => {
    const key = await keyOf(await app.user(), completions)
    const reply = await key.post(completions, { model: 'swift', messages, tool_ids: [id] })
    expect(reply).toMatchObject({ status: 403, body: { code: 'tool_not_allowed' } })
    expect(reply.text).toContain(id)
  })

  it('finds the same at other doors: the list of tools, the messages format, an action', async () => {
    const ana = await app.user()
    const [messagesPath, actionsPath] = ['/api/v1/messages', '/api/chat/actions'] as const
    const key = await keyOf(ana, '/api/v1/tools', messagesPath, actionsPath)
    const listed = (await key.get('/api/v1/tools')).body.items.map(({ id }: { id: string }) => id)
    expect(listed).toEqual(expect.arrayContaining(['builtin:time', 'builtin:calculator', 'builtin:code']))
    for (const id of ['builtin:chats', 'builtin:memory', 'builtin:signing', 'builtin:workflows', 'builtin:web'])
      expect(listed).not.toContain(id)
    const asked = { model: 'swift', max_tokens: 10, messages, tool_ids: ['builtin:chats'] }
    expect((await key.post(messagesPath, asked)).status).toBe(403)
    const content = '/** tools: builtin:chats */\nexport class Action { action() { return 1 } }'
    const owner = await app.platformOwner()
    await owner.post('/api/v1/functions/create', { id: 'seeker', name: 'Seeker', content, is_active: true })
    const run = (by: Client) => by.post(`${actionsPath}/seeker`, { model: 'swift', messages: [] })
    expect((await run(ana)).status).toBe(200)
    expect(await run(key)).toMatchObject({ status: 403, body: { code: 'tool_not_allowed' } })
  })

  it('still has the tools that touch nobody’s things, and those whose routes it has', async () => {
    const ana = await app.user()
    await prepareChat(ana, { question: 'Where do pelicans sleep?' })
    const key = await keyOf(ana, completions, '/api/v1/chats')
    await ask(key, 'builtin:calculator', { name: 'calculate', arguments: { expression: '6 * 7' } })
    expect(told()).toBe('42')
    await ask(key, 'builtin:chats', { name: 'search_chats', arguments: { query: 'pelicans' } })
    expect(told()).toContain('pelicans')
  })

  it('has tools that a filter adds only as far as it reaches, and is answered all the same', async () => {
    const added = ['builtin:chats', 'builtin:calculator']
    app.ports.completions.registerFilters({
      filtersFor: (_context, ids) =>
        ids.includes('equips')
          ? [{ id: 'equips', priority: 0, inlet: async (body) => ({ ...body, tool_ids: added }) }]
          : [],
    })
    const ana = await app.user()
    const offered = async (client: Client) => {
      provider.script({ text: 'Done.' })
      const body = { model: 'swift', messages, filter_ids: ['equips'] }
      expect((await client.post(completions, body)).status).toBe(200)
      return provider
        .calls()
        .at(-1)
        ?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)
    }
    expect(await offered(ana)).toEqual(['search_chats', 'calculate'])
    expect(await offered(await keyOf(ana, completions))).toEqual(['calculate'])
  })

  it('reads and writes no memories by the feature either', async () => {
    const ana = await app.user()
    await ana.post('/api/v1/memories', { content: 'Likes green tea.' })
    const key = await keyOf(ana, completions)
    provider.script({ text: 'Done.' })
    const reply = await key.post(completions, { model: 'swift', messages, features: { memory: true } })
    expect(reply.status).toBe(200)
    expect(provider.calls().at(-1)?.body.tools).toBeUndefined()
    expect(JSON.stringify(provider.calls().at(-1)?.body)).not.toContain('green tea')
  })
})

describe('a run that a key starts', () => {
  const searching = { nodes: [node('search', { tool: 'builtin:chats', arguments: { query: 'pelicans' } }, 'tool')] }
  const endOf = async (person: Person, id: string) => {
    const read = async () => (await person.get(`/api/v1/agent-runs/${id}`)).body
    await expect.poll(async () => (await read()).status).toMatch(/succeeded|failed/)
    return read()
  }
  const graph = { edges: [], settings: {}, ...searching }

  it('has no tools beyond the key’s routes, not when it is retried or replayed with it, and those that it has', async () => {
    const ana = await app.user()
    await prepareChat(ana, { question: 'Where do pelicans sleep?' })
    const { id } = await makePublished(ana, graph)
    const start = async (by: Client) => endOf(ana, (await by.post(`${workflowsPath}/${id}/runs`, {})).body.id)
    const key = await keyOf(ana, workflowsPath, '/api/v1/agent-runs')
    const held = await start(key)
    expect(held).toMatchObject({ status: 'failed', error: expect.stringContaining('builtin:chats') })
    const whole = await start(ana)
    expect(JSON.stringify(whole.output)).toContain('pelicans')
    expect((await start(await keyOf(ana, workflowsPath, '/api/v1/chats'))).status).toBe('succeeded')
    const retried = await endOf(ana, (await ana.post(`/api/v1/agent-runs/${held.id}/retry`)).body.id)
    expect(retried.status).toBe('failed')
    const replayed = await endOf(ana, (await key.post(`/api/v1/agent-runs/${whole.id}/replay`)).body.id)
    expect(replayed.status).toBe('failed')
  })
})

describe('a workflow that a key publishes', () => {
  const publish = async (by: Client, tool: string) => {
    const agent = node('agent', { model: 'swift', tools: [tool] }, 'agent')
    const { id } = await makeWorkflow(by, { nodes: [agent], edges: [], settings: {} })
    await by.post(`${workflowsPath}/${id}/submit`)
    return { id, reply: await by.post(`${workflowsPath}/${id}/approve`) }
  }

  it('has no tools beyond the key’s routes, for its triggers act with all rights of the person', async () => {
    const ana = await app.user()
    const key = await keyOf(ana, workflowsPath)
    const { id, reply } = await publish(key, 'builtin:chats')
    expect(reply).toMatchObject({ status: 403, body: { code: 'tool_not_allowed' } })
    expect((await publish(key, 'builtin:calculator')).reply.status).toBe(200)
    expect((await publish(await keyOf(ana, workflowsPath, '/api/v1/chats'), 'builtin:chats')).reply.status).toBe(200)
    // The person may, and an earlier version is published under the same rule.
    expect((await ana.post(`${workflowsPath}/${id}/approve`)).status).toBe(200)
    const { versions } = (await ana.get(`${workflowsPath}/${id}/versions`)).body
    const again = await key.post(`${workflowsPath}/${id}/rollback-and-publish`, { version_id: versions[0].id })
    expect(again).toMatchObject({ status: 403, body: { code: 'tool_not_allowed' } })
  })
})

describe('a trigger that a key adds or changes', () => {
  it('starts nothing that has tools beyond the key’s routes, nor does a workflow that calls or names such a one', async () => {
    const ana = await app.user()
    await prepareChat(ana, { question: 'Where do pelicans sleep?' })
    const key = await keyOf(ana, workflowsPath)
    const tool = { tool: 'builtin:chats', arguments: { query: 'pelicans' } }
    const reader = await makePublished(ana, { nodes: [node('search', tool, 'tool')], edges: [], settings: {} })
    const body = { name: 'Hourly', cron: '0 * * * *' }
    const addTo = (by: Client, id: string) => by.post(`${workflowsPath}/${id}/triggers/cron`, body)
    const refused = { status: 403, body: { code: 'tool_not_allowed' } }
    expect(await addTo(key, reader.id)).toMatchObject(refused)
    const { body: own } = await addTo(ana, reader.id)
    const change = { cron: '* * * * *' }
    expect(await key.patch(`${workflowsPath}/${reader.id}/triggers/${own.id}`, change)).toMatchObject(refused)

    expect(await key.put(`${workflowsPath}/${reader.id}/run-as`, { user_id: ana.id })).toMatchObject(refused)

    const graph = { nodes: [node('sub', { workflow_id: reader.id }, 'subworkflow')], edges: [], settings: {} }
    const caller = await makeWorkflow(key, graph)
    await key.post(`${workflowsPath}/${caller.id}/submit`)
    expect(await key.post(`${workflowsPath}/${caller.id}/approve`)).toMatchObject(refused)
    const failing = await makeWorkflow(key, { nodes: [node('a')], edges: [], settings: {} })
    const named = { error_workflow_id: reader.id }
    expect(await key.put(`${workflowsPath}/${failing.id}`, named)).toMatchObject(refused)
    expect((await ana.put(`${workflowsPath}/${failing.id}`, named)).status).toBe(200)
    await key.post(`${workflowsPath}/${failing.id}/submit`)
    expect(await key.post(`${workflowsPath}/${failing.id}/approve`)).toMatchObject(refused)

    const wide = await keyOf(ana, workflowsPath, '/api/v1/chats')
    expect((await addTo(wide, reader.id)).status).toBe(201)
    const harmless = await makePublished(ana, { nodes: [node('a')], edges: [], settings: {} })
    expect((await addTo(key, harmless.id)).status).toBe(201)
  })
})

describe('a built-in tool that an administrator has people asked about', () => {
  const asking = async (name: string, isOn: boolean) => {
    const owner = await app.platformOwner()
    const { status } = await owner.post('/api/v1/configs', { [`tools.approval.${name}`]: isOn })
    expect(status).toBe(200)
  }
  afterEach(async () => {
    for (const name of ['remember', 'fetch_page']) await asking(name, false)
  })
  const openRoom = async (person: Person, answer: () => boolean) => {
    const socket = await createSockets(app.url).connectAs(person)
    const titles: string[] = []
    socket.on('events', (event, reply) => {
      if (typeof reply !== 'function') return
      titles.push(event.data.data.title)
      reply(answer())
    })
    return { session: { session_id: socket.id }, titles }
  }

  it('runs when the person allows it; a refusal and an empty room are told to the model', async () => {
    const ana = await app.user()
    const call = { name: 'remember', arguments: { fact: 'Works in Porto.' } }
    const facts = async () => (await ana.get('/api/v1/memories')).body.total
    await asking('remember', true)
    await ask(ana, 'builtin:memory', call)
    expect(told()).toContain('nobody is there')
    let answer = false
    const { session, titles } = await openRoom(ana, () => answer)
    await ask(ana, 'builtin:memory', call, session)
    expect([told(), await facts()]).toEqual([expect.stringContaining('declined'), 0])
    answer = true
    await ask(ana, 'builtin:memory', call, session)
    expect([told(), await facts()]).toEqual(['Remembered.', 1])
    expect(titles).toEqual(['Allow remember?', 'Allow remember?'])
  })

  it('is not asked about for a page whose address the person wrote, and is for any other', async () => {
    const ana = await app.user()
    await asking('fetch_page', true)
    const { session, titles } = await openRoom(ana, () => false)
    const url = `${site.origin}/page`
    const fetchPage = (address: string) =>
      ask(
        ana,
        'builtin:web',
        { name: 'fetch_page', arguments: { url: address } },
        {
          messages: [{ role: 'user', content: `Read (${url}).` }],
          ...session,
        },
      )
    await fetchPage(url)
    expect(titles).toEqual([])
    await fetchPage(`${url}?secret=7`)
    expect([titles, told()]).toEqual([['Allow fetch_page?'], expect.stringContaining('declined')])
  })
})
