/** Plugins through the whole app: saved, set, run at every door, and refused. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn, prepareChat } from '#test/harness/chat.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { runThrough } from '#test/harness/runs.ts'
import { documentsPath, makeDraft } from '#test/harness/signing.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { node } from '#test/harness/workflows.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { startModelRuntime } from '#test/peers/model-runtime.ts'
import { startSite } from '#test/peers/site.ts'
import { latestWithin } from './kinds/plugin-tools.ts'

const provider = await startModelProvider({ models: ['swift'] })
const runtime = await startModelRuntime({ models: ['local:latest'] })
const site = await startSite((_request, response) => void response.end('inside'))
/** The one private address that plugins may reach here; it sends them on to another. */
const door = await startSite((_request, response) => {
  response.writeHead(302, { location: `http://127.0.0.1:${site.port}/` }).end()
})
const app = await testApp({
  env: {
    COMPAT_API_BASE_URL: provider.url,
    UPSTREAM_BASE_URL: runtime.url,
    WEBSOCKET_EVENT_CALLER_TIMEOUT: '30',
    OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${door.port}`,
  },
})
const owner = await app.platformOwner()
const path = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Say it.' }]
const lastSent = () => provider.calls().at(-1)?.body

let count = 0
const add = async (
  tree: 'functions' | 'tools',
  content: string,
  more: Record<string, unknown> = {},
): Promise<string> => {
  count += 1
  const id = `plugin_${String(count).padStart(3, '0')}`
  const reply = await owner.post(`/api/v1/${tree}/create`, {
    id,
    name: `Plugin ${count}`,
    content,
    is_active: true,
    ...more,
  })
  if (reply.status !== 201) throw new Error(reply.text)
  return id
}
const addFilter = (body: string, more?: Record<string, unknown>) =>
  add('functions', `export class Filter { ${body} }`, more)
const remove = (tree: 'functions' | 'tools', id: string) => owner.send('DELETE', `/api/v1/${tree}/id/${id}/delete`)
const shouting = `stream(chunk) {
  const delta = chunk.choices?.[0]?.delta
  if (delta?.content?.includes('secret')) return null
  if (delta?.content) delta.content = delta.content.toUpperCase()
  return chunk
}`

describe('writing a plugin', () => {
  const check = async (content: string) => (await owner.post('/api/v1/functions/check', { content })).body

  it('is checked before it is saved, with the line of the problem', async () => {
    const fine = await check('export class Tools {\n  /** Looks. */\n  look() { return 1 }\n}')
    expect(fine).toMatchObject({ problem: null, type: 'tool', specs: [{ name: 'look', description: 'Looks.' }] })
    expect(await check('export class Tools {\n  look( { return 1 }\n}')).toMatchObject({
      line: 2,
      problem: expect.stringContaining("isn't valid TypeScript"),
    })
    expect(await check('const a = 1\n\nnull.x\nexport class Tools { look() {} }')).toMatchObject({ line: 3 })
    expect(await check('const a = 1')).toMatchObject({ line: null, problem: expect.stringContaining('Export a class') })
  })

  it('is tried with arguments, and answers what it returned, sent and logged; the try is audited', async () => {
    const id = await add(
      'tools',
      `export class Tools {
        async greet(args, { __event_emitter__, __user__ }) {
          console.log('greeting')
          await __event_emitter__({ type: 'status', data: { description: 'Hello', done: true } })
          if (args.name === '') throw new Error('Nobody is here.')
          return { text: args.name + ' and ' + __user__.name }
        }
        async ask(_args, { __event_call__ }) { return __event_call__({ type: 'confirmation', data: { title: 'Sure?' } }) }
      }`,
    )
    const run = async (method: string, args: object) => owner.post(`/api/v1/tools/id/${id}/try`, { method, args })
    expect((await run('greet', { name: 'Ana' })).body).toMatchObject({
      result: { text: expect.stringMatching(/^Ana and /) },
      error: null,
      events: [{ type: 'status', data: { description: 'Hello' } }],
      logs: [{ level: 'info', text: 'greeting' }],
    })
    expect((await run('greet', { name: '' })).body.error).toContain('Nobody is here.')
    expect((await run('ask', {})).body.error).toContain('no browser to ask')
    expect(await run('constructor', {})).toMatchObject({ status: 422, body: { code: 'plugin_method_unknown' } })
    const { body } = await owner.get('/api/admin/audit?search=plugin.try')
    expect(body.items[0]).toMatchObject({ action: 'plugin.try', target: { id } })
  })

  it('with settings of each person is listed for those who may use it', async () => {
    const source = "export class Tools { static UserValves = { unit: { type: 'string' } }; look() {} }"
    const [open, closed] = [await add('tools', source), await add('tools', source, { access_grants: [] })]
    const ids = (await (await app.user()).get('/api/v1/functions/personal')).body.items.map(
      (item: { id: string }) => item.id,
    )
    expect(ids).toContain(open)
    expect(ids).not.toContain(closed)
  })
})

describe('saving a plugin', () => {
  it('reads what it is from its source: kind, tools from types and comments, settings', async () => {
    const content = `
      /**
       * title: Weather
       * author: Ana
       */
      interface Place { /** Its name. */ city: string; country?: 'PT' | 'ES' }
      export class Tools {
        static Valves = { key: { type: 'string', secret: true } }
        /**
         * Tells the weather.
         * @param args.days How many days ahead.
         */
        async forecast(args: { place: Place; days: number; units?: string[] }): Promise<string> { return '' }
        static schema = { now: { description: 'Right now.', type: 'object', properties: { at: { type: 'string' } } } }
        now() { return '' }
        private hidden() { return '' }
        protected alsoHidden() { return '' }
      }`
    const id = await add('tools', content)
    const { body } = await owner.get(`/api/v1/tools/id/${id}`)
    expect(body).toMatchObject({
      type: 'tool',
      content,
      has_valves: true,
      meta: { manifest: { title: 'Weather', author: 'Ana' } },
    })
    expect(body.specs).toEqual([
      {
        name: 'forecast',
        description: 'Tells the weather.',
        parameters: {
          type: 'object',
          properties: {
            place: {
              type: 'object',
              properties: {
                city: { type: 'string', description: 'Its name.' },
                country: { type: 'string', enum: ['PT', 'ES'] },
              },
              required: ['city'],
            },
            days: { type: 'number', description: 'How many days ahead.' },
            units: { type: 'array', items: { type: 'string' } },
          },
          required: ['place', 'days'],
        },
      },
      {
        name: 'now',
        description: 'Right now.',
        parameters: { type: 'object', properties: { at: { type: 'string' } } },
      },
    ])
    await remove('tools', id)
    expect(await owner.get(`/api/v1/tools/id/${id}`)).toMatchObject({ status: 404, body: { code: 'plugin_not_found' } })
  })

  it.each([
    ['functions', 'no class', 'export const a = 1', 'Export a class'],
    ['functions', 'two classes', 'export class Pipe { pipe() {} }; export class Action { action() {} }', 'only one'],
    ['functions', 'a broken source', 'export class Filter { inlet( }', 'TypeScript'],
    ['functions', 'an endless loop', 'for (;;) {}; export class Filter { inlet() {} }', 'time'],
    ['functions', 'an import', 'import "node:fs"; export class Filter { inlet() {} }', 'import'],
    ['functions', 'a filter that filters nothing', 'export class Filter {}', 'inlet or stream or outlet'],
    ['functions', 'a tool at the wrong path', 'export class Tools { a() {} }', '/api/v1/tools'],
    ['tools', 'the name of a built-in tool', 'export class Tools { current_time() {} }', 'built-in'],
    [
      'tools',
      'settings that are no schema',
      'export class Tools { static Valves = { a: { type: "text" } }; a() {} }',
      'schema',
    ],
  ] as const)('refuses at %s %s', async (tree, _what, content, words) => {
    const reply = await owner.post(`/api/v1/${tree}/create`, { id: 'bad_one', name: 'Bad', content })
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'plugin_invalid', detail: expect.stringContaining(words) },
    })
  })

  it('keeps secrets: encrypted, never shown, kept by their placeholder', async () => {
    const settings = `static Valves = { key: { type: 'string', secret: true }, unit: { type: 'string', default: 'km' } }`
    const id = await add(
      'tools',
      `export class Tools { ${settings}; show() { return this.valves.key + this.valves.unit } }`,
    )
    const valves = `/api/v1/tools/id/${id}/valves`
    const saved = await owner.post(`${valves}/update`, { valves: { key: 'top-secret', unit: 'mi' } })
    expect(saved.body).toEqual({ valves: { key: '********', unit: 'mi' } })
    await owner.post(`${valves}/update`, { valves: { key: '********' } })
    const { sealedValves } = await app.db
      .selectFrom('plugins')
      .select('sealedValves')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(sealedValves).not.toContain('top-secret')
    provider.script({ toolCalls: [{ name: 'show', arguments: {} }] }, { text: 'Done.' })
    await (await app.user()).post(path, { model: 'swift', messages, tool_ids: [id] })
    expect(lastSent().messages.at(-1)).toMatchObject({ role: 'tool', content: 'top-secretkm' })
    for (const wrong of [{ unit: 7 }, { other: 'x' }])
      expect(await owner.post(`${valves}/update`, { valves: wrong })).toMatchObject({ status: 422 })
    await remove('tools', id)
  })

  it('A41: checks values off the server: a pattern that takes exponential time costs the call that sent it', async () => {
    const settings = `static UserValves = { code: { type: 'string', pattern: '^(a+)+$' } }`
    const id = await add('tools', `export class Tools { ${settings}; show() {} }`)
    const [ana, ben] = [await app.user(), await app.user()]
    const own = `/api/v1/tools/id/${id}/valves/user`
    const hostile = ana.post(`${own}/update`, { valves: { code: `${'a'.repeat(60)}!` } })
    expect((await ben.get(own)).status).toBe(200)
    expect(await hostile).toMatchObject({ status: 422, body: { code: 'plugin_invalid' } })
    expect(await ana.post(`${own}/update`, { valves: { code: 'aaa' } })).toMatchObject({ status: 200 })
    expect(await ana.post(`${own}/update`, { valves: { code: 'b' } })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'valves', 'code'], type: 'pattern' }] },
    })
    await remove('tools', id)
  })

  it('shows what a deleted plugin logged last to no other that takes its ID', async () => {
    const ana = await app.user()
    const id = 'logs_twin'
    for (const word of ['first', 'second']) {
      const content = `export class Tools { tell() { console.log('${word}'); return 1 } }`
      expect((await owner.post('/api/v1/tools/create', { id, name: word, content })).status).toBe(201)
      provider.script({ toolCalls: [{ name: 'tell', arguments: {} }] }, { text: 'Done.' })
      await ana.post(path, { model: 'swift', messages, tool_ids: [id] })
      // Before its lines are written, which takes a moment.
      if (word === 'first') await remove('tools', id)
    }
    const lines = async () =>
      (await owner.get(`/api/v1/tools/id/${id}/logs`)).body.items.map(({ text }: { text: string }) => text)
    await expect.poll(lines).toContain('second')
    expect(await lines()).toEqual(['second'])
    await remove('tools', id)
  })

  it('gives every person their own settings', async () => {
    const settings = `static UserValves = { tone: { type: 'string', default: 'kind' }, pin: { type: 'string', secret: true } }`
    const id = await add(
      'tools',
      `export class Tools { ${settings}
        tone(args, { __user__ }) { return __user__.name + ' ' + __user__.valves.tone }
        leak(args, { __user__ }) { console.log(__user__.valves); throw new Error('Wrong: ' + __user__.valves.pin) }
      }`,
    )
    const [ana, ben] = [await app.user({ name: 'Ana' }), await app.user({ name: 'Ben' })]
    const own = `/api/v1/tools/id/${id}/valves/user`
    const saved = await ana.post(`${own}/update`, { valves: { tone: 'dry', pin: '1234' } })
    expect(saved.body).toEqual({ valves: { tone: 'dry', pin: '********' } })
    expect((await ben.get(own)).body).toEqual({ valves: { tone: 'kind' } })
    for (const [person, words] of [
      [ana, 'Ana dry'],
      [ben, 'Ben kind'],
    ] as const) {
      provider.script({ toolCalls: [{ name: 'tone', arguments: {} }] }, { text: 'Done.' })
      await person.post(path, { model: 'swift', messages, tool_ids: [id] })
      expect(lastSent().messages.at(-1).content).toBe(words)
    }
    // Secrets are in no log and in no failure, where others would read them.
    provider.script({ toolCalls: [{ name: 'leak', arguments: {} }] }, { text: 'Done.' })
    await ana.post(path, { model: 'swift', messages, tool_ids: [id] })
    expect(lastSent().messages.at(-1).content).toBe('Error: Wrong: ********')
    await expect.poll(async () => (await owner.get(`/api/v1/tools/id/${id}/logs`)).body.items.length).toBe(2)
    const logs = (await owner.get(`/api/v1/tools/id/${id}/logs`)).text
    expect(logs).toContain('dry')
    expect(logs).not.toContain('1234')
    await remove('tools', id)
  })

  it('counts at once on every node, as does each node’s own time limit for questions', async () => {
    const env = { COMPAT_API_BASE_URL: provider.url }
    const config = { WEBSOCKET_EVENT_CALLER_TIMEOUT: 0.2 }
    const second = await testApp({ databaseUrl: app.databaseUrl, env, config })
    const id = await addFilter('priority = 1; inlet() { throw new Error("Not here.") }')
    await owner.post(`/api/v1/functions/id/${id}/toggle/global`)
    const ana = await app.user()
    const there = () =>
      second.newcomer().send('POST', path, {
        body: JSON.stringify({ model: 'swift', messages }),
        headers: { 'content-type': 'application/json', authorization: `Bearer ${ana.token}` },
      })
    await expect.poll(async () => (await there()).status).toBe(400)
    await remove('functions', id)
    await expect.poll(async () => (await there()).status).toBe(200)

    // A browser that never answers: the plugin gets an exception, and decides what to make of it.
    const asking = await add(
      'functions',
      `export class Pipe {
      pipe(body, { __event_call__: ask }) {
        return ask({ type: 'confirmation', data: { title: '?' } }).catch(({ message }) => 'Caught: ' + message)
      }
    }`,
    )
    const { id: session_id } = await createSockets(second.url).connectAs(ana)
    const client = createClient(second.url, bearer(ana.token))
    const reply = await client.post(path, { model: asking, messages, session_id })
    expect(reply.body.choices[0].message.content).toMatch(/^Caught: .*didn't respond/)
    await remove('functions', asking)
    await second.stop()
  })
})

describe('filters', () => {
  it('run in the order of priority and id, around the request and the stream', async () => {
    const add1 = (word: string) => `inlet(body) { body.messages[0].content += ' ${word}'; return body }`
    const ids = [
      await addFilter(`priority = 5; ${add1('third')}; ${shouting}`),
      await addFilter(add1('first')),
      await addFilter(add1('second')),
    ]
    const ana = await app.user()
    provider.script({ chunks: ['a ', 'secret ', 'b'] })
    const reply = await ana.post(path, { model: 'swift', messages, stream: true, filter_ids: ids })
    expect(lastSent().messages).toEqual([{ role: 'user', content: 'Say it. first second third' }])
    expect(
      framesIn(reply.text)
        .map((frame) => frame.choices?.[0]?.delta?.content ?? '')
        .join(''),
    ).toBe('A B')
    for (const id of ids) await remove('functions', id)
  })

  it('run where they are global, set for the model or named; one with a toggle only when it is named', async () => {
    const id = await addFilter('toggle = true; inlet() { throw new Error("Filtered.") }')
    const ana = await app.user()
    const ask = async (more: object = {}) => (await ana.post(path, { model: 'swift', messages, ...more })).status
    await owner.post(`/api/v1/functions/id/${id}/toggle/global`)
    expect(await ask()).toBe(200)
    expect(await ask({ filter_ids: [id] })).toBe(400)
    const usable = (await ana.get('/api/v1/functions/usable')).body.items
    expect(usable).toMatchObject([{ id, type: 'filter' }])
    await owner.post(`/api/v1/functions/id/${id}/update`, {
      content: 'export class Filter { inlet() { throw new Error("Filtered.") } }',
    })
    expect(await ask()).toBe(400)
    await owner.post(`/api/v1/functions/id/${id}/toggle/global`)
    expect(await ask()).toBe(200)
    await owner.post('/api/v1/models/create', {
      id: 'careful',
      name: 'Careful',
      base_model_id: 'swift',
      meta: { filterIds: [id] },
    })
    expect(await ask({ model: 'careful' })).toBe(400)
    await owner.post(`/api/v1/functions/id/${id}/toggle`)
    expect(await ask({ filter_ids: [id] })).toBe(400)
    expect(await ask({ model: 'careful' })).toBe(200)
    await remove('functions', id)
  })

  it('hold at every door: completions, messages format, workflows, responses and the runtime’s own paths', async () => {
    const id = await addFilter('inlet() { throw new Error("No entry.") }')
    const ana = await app.user()
    expect(await ana.post('/upstream/api/chat', { model: 'local', messages, stream: false })).toMatchObject({
      status: 200,
    })
    await owner.post(`/api/v1/functions/id/${id}/toggle/global`)
    const before = provider.calls().length + runtime.calls().length
    expect(await ana.post(path, { model: 'swift', messages })).toMatchObject({
      status: 400,
      body: { detail: 'No entry.' },
    })
    expect(await ana.post('/api/v1/messages', { model: 'swift', max_tokens: 9, messages })).toMatchObject({
      status: 400,
    })
    for (const [door, body] of [
      ['/upstream/api/chat', { model: 'local', messages }],
      ['/upstream/api/generate', { model: 'local', prompt: 'x' }],
      ['/upstream/v1/chat/completions', { model: 'local', messages }],
      ['/upstream/v1/responses', { model: 'swift', input: 'x' }],
      ['/api/responses', { model: 'swift', input: 'x' }],
    ] as const)
      expect((await ana.post(door, body)).status, door).toBe(403)
    const agent = node('ask', { model: 'swift', prompt: 'x', retry: { max_attempts: 1 } }, 'agent')
    const run = await runThrough(ana, { nodes: [agent], edges: [] })
    expect([run.status, JSON.stringify(run.steps)]).toEqual(['failed', expect.stringContaining('No entry.')])
    expect(provider.calls().length + runtime.calls().length).toBe(before)
    expect(await ana.post('/upstream/api/embed', { model: 'local', input: ['x'] })).toMatchObject({ status: 200 })
    await remove('functions', id)
  })

  it('run for background tasks too, and are told which', async () => {
    const id = await addFilter(`
      inlet(body, { __task__ }) { body.messages.at(-1).content += ' <' + __task__ + '>'; return body }
      outlet(body, { __task__ }) { if (__task__) body.messages.at(-1).content = JSON.stringify({ title: 'A title by ' + __task__ }); return body }`)
    const ana = await app.user()
    const chat = await prepareChat(ana)
    provider.script({ text: 'noon' }, { text: 'raw' })
    await ana.post(path, {
      model: 'swift',
      ...chat.body,
      filter_ids: [id],
      background_tasks: { title_generation: true },
    })
    await expect
      .poll(async () => (await ana.get(`/api/v1/chats/${chat.chatId}`)).body.title)
      .toBe('A title by title_generation')
    expect(lastSent().messages.at(-1).content).toContain('<title_generation>')
    await remove('functions', id)
  })

  it('that fail in the outlet change nothing and are recorded for their author', async () => {
    const id = await addFilter('outlet() { console.log("before"); throw new Error("Broken outlet.") }')
    const ana = await app.user()
    const body = { model: 'swift', messages: [...messages, { role: 'assistant', content: 'noon' }], filter_ids: [id] }
    expect((await ana.post('/api/chat/completed', body)).body.messages).toEqual(body.messages)
    const { items } = (await owner.get(`/api/v1/functions/id/${id}/logs`)).body
    expect(items).toMatchObject([
      { level: 'error', text: expect.stringContaining('Broken outlet.') },
      { level: 'info', text: 'before' },
    ])
    await remove('functions', id)
  })

  it('installed but not meant leave a stream as the bytes that came', async () => {
    const ids = [await addFilter(shouting), await addFilter(`toggle = true; ${shouting}`)]
    const ana = await app.user()
    provider.script({ chunks: ['a ', 'secret'] })
    const reply = await ana.post(path, { model: 'swift', messages, stream: true })
    expect(app.ports.completions.isFiltered({ filterIds: [] })).toBe(false)
    expect(
      framesIn(reply.text)
        .map((frame) => frame.choices?.[0]?.delta?.content ?? '')
        .join(''),
    ).toBe('a secret')
    for (const id of ids) await remove('functions', id)
  })
})

describe('settings that can not be decrypted', () => {
  it('refuse what their own filter protects, and nothing else', async () => {
    const [broken, fine] = [
      await addFilter('inlet(body) { return body }'),
      await addFilter('inlet(body) { return body }'),
    ]
    await app.db.updateTable('plugins').set({ sealedValves: 'v1.a.b.c' }).where('id', '=', broken).execute()
    await owner.post(`/api/v1/functions/id/${fine}/toggle`)
    await owner.post(`/api/v1/functions/id/${fine}/toggle`)
    const ana = await app.user()
    expect(await ana.post(path, { model: 'swift', messages, filter_ids: [fine] })).toMatchObject({ status: 200 })
    expect(await ana.post(path, { model: 'swift', messages, filter_ids: [broken] })).toMatchObject({ status: 400 })
    for (const id of [broken, fine]) await remove('functions', id)
  })
})

describe('tools', () => {
  it('are called by the model; a failure is told to it and to the author', async () => {
    const id = await add(
      'tools',
      `export class Tools {
      add({ a, b }: { a: number; b: number }) { return a + b }
      context(_args, { __model__, __messages__, __files__, __request__ }) { return { __model__, said: __messages__.length, __files__, __request__ } }
      cite() { return { content: 'noon', sources: [{ source: { id: 'x', name: 'Almanac' }, document: ['noon'], metadata: [{}] }] } }
      fail() { throw new Error('Out of order.') }
    }`,
    )
    const ana = await app.user()
    provider.script(
      {
        toolCalls: [
          { name: 'add', arguments: { a: 2, b: 3 } },
          { name: 'cite', arguments: {} },
          { name: 'fail', arguments: {} },
          { name: 'context', arguments: { messages: ['not these'] } },
        ],
      },
      { text: 'Done.' },
    )
    const reply = await ana.post(path, { model: 'swift', messages, tool_ids: [id] })
    expect(reply.body.choices[0].message.content).toBe('Done.')
    expect(reply.body.sources).toMatchObject([{ source: { name: 'Almanac' } }])
    const told: string[] = lastSent()
      .messages.slice(-4)
      .map(({ content }: { content: string }) => content)
    expect(told.slice(0, 3)).toEqual(['5', 'noon', 'Error: Out of order.'])
    expect(JSON.parse(told[3] ?? '')).toEqual({
      __model__: { id: 'swift' },
      said: 1,
      __files__: [],
      __request__: { base_url: expect.stringMatching(/^http/) },
    })
    const { items } = (await owner.get(`/api/v1/tools/id/${id}/logs`)).body
    expect(items[0].text).toContain('Out of order.')
    await remove('tools', id)
  })

  it('get the conversation only where their source names it, and no more of it than fits', async () => {
    const id = await add(
      'tools',
      'export class Tools { peek(_args, helpers) { return helpers["__mess" + "ages__"].length } }',
    )
    provider.script({ toolCalls: [{ name: 'peek', arguments: { messages: ['not these'] } }] }, { text: 'Done.' })
    await (await app.user()).post(path, { model: 'swift', messages, tool_ids: [id] })
    expect(lastSent().messages.at(-1).content).toBe('0')
    await remove('tools', id)
    expect(latestWithin(['long ago', 'b', 'c'], 8)).toEqual(['b', 'c'])
    expect(latestWithin(['b', 'c'], 8)).toEqual(['b', 'c'])
    expect(latestWithin(['too long for this'], 8)).toEqual([])
  })

  it('are listed and resolved only for those they are granted to', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const grant = { principal_type: 'user', principal_id: ana.id, permission: 'read' }
    const id = await add('tools', 'export class Tools { look() { return "seen" } }', { access_grants: [grant] })
    const idsOf = async (person: typeof ana) =>
      (await person.get('/api/v1/tools')).body.items.map((one: { id: string }) => one.id)
    expect(await idsOf(ana)).toContain(id)
    expect(await idsOf(ben)).not.toContain(id)
    expect(await ben.post(path, { model: 'swift', messages, tool_ids: [id] })).toMatchObject({
      status: 403,
      body: { code: 'tool_not_allowed' },
    })
    expect(await ben.get(`/api/v1/tools/id/${id}/valves/user`)).toMatchObject({ status: 404 })
    expect(await ana.post(path, { model: 'swift', messages, tool_ids: [id] })).toMatchObject({ status: 200 })
    await remove('tools', id)
  })

  it('A43: reach the network only through the guard', async () => {
    const id = await add(
      'tools',
      `export class Tools {
      async get({ url }: { url: string }) { return fetch(url).then((reply) => reply.text(), (problem) => 'refused: ' + problem.message) }
    }`,
    )
    const ana = await app.user()
    const addresses = [
      `http://127.0.0.1:${site.port}/`,
      app.url,
      'http://169.254.169.254/latest/meta-data/',
      'http://[::1]:80/',
      `http://127.1:${site.port}/`,
      `http://2130706433:${site.port}/`,
      `http://[::ffff:127.0.0.1]:${site.port}/`,
      `http://localhost:${site.port}/`,
      `http://127.0.0.1:${door.port}@127.0.0.1:${site.port}/`,
      door.origin,
      'file:///etc/passwd',
      'http://0/',
    ]
    provider.script({ toolCalls: addresses.map((url) => ({ name: 'get', arguments: { url } })) }, { text: 'Done.' })
    await ana.post(path, { model: 'swift', messages, tool_ids: [id] })
    for (const { content } of lastSent().messages.slice(-addresses.length)) expect(content).toMatch(/^refused: /)
    expect(site.requests).toHaveLength(0)
    await remove('tools', id)
  })
})

describe('pipes', () => {
  it('are models: text, parts, a completion, or several models behind one plugin', async () => {
    const id = await add(
      'functions',
      `export class Pipe {
      pipes = [{ id: 'text', name: 'Text' }, { id: 'parts', name: 'Parts' }, { id: 'whole', name: 'Whole' }, { id: 'lines', name: 'Lines' }]
      pipe(body) {
        const said = body.messages.at(-1).content
        if (body.model.endsWith('.text')) return 'Heard: ' + said
        if (body.model.endsWith('.whole')) return { choices: [{ index: 0, message: { role: 'assistant', content: 'Whole' }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }
        if (body.model.endsWith('.lines')) return (function* () { yield 'data: {"choices":[{"index":0,"delta":{"content":"from a line"}}]}'; yield 'data: [DONE]' })()
        return (async function* () { yield 'one '; await new Promise((done) => setTimeout(done, 5)); yield 'two' })()
      }
    }`,
    )
    const ana = await app.user()
    const listed = (await ana.get('/api/models')).body.data.map((model: { id: string }) => model.id)
    expect(listed).toEqual(expect.arrayContaining([`${id}.text`, `${id}.parts`]))
    const said: unknown[] = []
    for (const model of ['text', 'parts', 'whole', 'lines']) {
      const whole = await ana.post(path, { model: `${id}.${model}`, messages })
      const streamed = await ana.post(path, { model: `${id}.${model}`, messages, stream: true })
      const text = framesIn(streamed.text)
        .map((frame) => frame.choices?.[0]?.delta?.content ?? '')
        .join('')
      said.push([whole.body.choices[0].message.content, text])
    }
    expect(said).toEqual([
      ['Heard: Say it.', 'Heard: Say it.'],
      ['one two', 'one two'],
      ['Whole', 'Whole'],
      ['from a line', 'from a line'],
    ])
    await remove('functions', id)
    expect(await ana.post(path, { model: `${id}.text`, messages })).toMatchObject({ status: 404 })
  })

  it('call the tools of their request, and see its session', async () => {
    const id = await add(
      'functions',
      `export class Pipe {
      async pipe(body, { __tools__, __session_id__ }) {
        const { content } = await __tools__.calculate.call({ expression: '6 * 7' })
        const missing = await Object.assign({}, __tools__.calculate).call({ expression: '1 +' }).catch(({ message }) => message)
        return [Object.keys(__tools__), content, missing, __session_id__].join(' ')
      }
    }`,
    )
    const ana = await app.user()
    const body = { model: id, messages, tool_ids: ['builtin:calculator'], session_id: 'tab' }
    const { choices } = (await ana.post(path, body)).body
    expect(choices[0].message.content).toMatch(/^calculate 42 It can't be calculated.* tab$/)
    await remove('functions', id)
  })

  it('list their models with their settings, and fail as a model does', async () => {
    const id = await add(
      'functions',
      `export class Pipe {
      static Valves = { models: { type: 'array', items: { type: 'string' }, default: ['a'] } }
      pipes() { return this.valves.models.map((id) => ({ id, name: id.toUpperCase() })) }
      pipe() { throw new Error('No credit.') }
    }`,
    )
    await owner.post(`/api/v1/functions/id/${id}/valves/update`, { valves: { models: ['b', 'c'] } })
    expect((await owner.get(`/api/v1/functions/id/${id}`)).body.models).toEqual([
      { id: `${id}.b`, name: 'B' },
      { id: `${id}.c`, name: 'C' },
    ])
    const reply = await (await app.user()).post(path, { model: `${id}.b`, messages })
    expect(reply).toMatchObject({ status: 502, body: { code: 'provider_failed', detail: 'No credit.' } })
    await remove('functions', id)
  })
})

describe('an action', () => {
  it('calls the tools that its first comment names, as the person who runs it: a reply becomes a document for signature', async () => {
    const ana = await app.user({ name: 'Ana Owner', isProven: true })
    const draft = await makeDraft(ana, { title: 'Agreement', recipients: [{}] })
    const [recipient] = draft.recipients
    const box = { page: 1, x: 0.1, y: 0.5, width: 0.5, height: 0.1, required: false }
    const text = { ...box, recipientId: recipient?.id, type: 'TEXT', label: 'Text' }
    await ana.put(`${documentsPath}/${draft.id}/fields`, [...draft.fields, text])
    const roles = [{ recipientId: recipient?.id, name: 'Signer' }]
    const template = (await ana.post('/api/signing/templates', { documentId: draft.id, roles })).body
    const examples = (await owner.get('/api/v1/functions/examples')).body.items
    const { content } = examples.find(({ id }: { id: string }) => id === 'sign_action')
    const id = await add('functions', content)
    await ana.post(`/api/v1/functions/id/${id}/valves/user/update`, { valves: { template_id: template.id } })
    const socket = await createSockets(app.url).connectAs(ana)
    const email = `kim.${template.id}@example.test`
    socket.on('events', (event, reply) => {
      if (typeof reply === 'function')
        reply(event.data.type === 'confirmation' || (/Where/.test(event.data.data.title) ? email : 'Kim'))
    })
    const chat = await prepareChat(ana)
    const said = [...messages, { role: 'assistant', content: 'We agree on noon.' }]
    const run = { ...chat.body, model: 'swift', messages: said, session_id: socket.id }
    expect(await ana.post(`/api/chat/actions/${id}`, run)).toMatchObject({ body: { result: 'Sent to Kim' } })
    expect((await app.letterTo(email)).subject).toContain('Agreement')
    const [sent] = (await ana.get(`${documentsPath}?state=SENT`)).body.data
    const { fields } = (await ana.get(`${documentsPath}/${sent.id}`)).body
    expect(JSON.stringify(fields)).toContain('We agree on noon.')
    expect((await chat.message()).statusHistory).toMatchObject([{ description: expect.stringContaining('to Kim') }])
    await remove('functions', id)
  })
})

const connect = async (person: Awaited<ReturnType<typeof app.user>>, answers: Record<string, unknown> = {}) => {
  const seen: { type: string; data: unknown }[] = []
  const socket = await createSockets(app.url).connectAs(person)
  socket.on('events', (event, acknowledge) => {
    seen.push(event.data)
    if (event.data.type in answers) acknowledge(answers[event.data.type])
  })
  return { seen, socket, session_id: socket.id ?? '' }
}

describe('events', () => {
  it('of a pipe are stored and shown by the rules, and none blanks what it returned', async () => {
    const id = await add(
      'functions',
      `export class Pipe {
      async pipe(body, { __event_emitter__: emit }) {
        await emit({ type: 'status', data: { description: 'Looking', done: false } })
        await emit({ type: 'status', data: { description: 'Hidden', done: true, hidden: true } })
        await emit({ type: 'embeds', data: { embeds: ['<b>one</b>'] } })
        await emit({ type: 'embeds', data: { embeds: ['<b>two</b>'], replace: true } })
        await emit({ type: 'chat:message:embeds', data: { embeds: ['not stored'] } })
        await emit({ type: 'files', data: { files: [{ type: 'file', id: 'f' }] } })
        await emit({ type: 'citation', data: { source: { name: 'Almanac' }, document: ['noon'], metadata: [{}] } })
        await emit({ type: 'source', data: { type: 'code_execution', id: 'run', name: 'x', code: '1' } })
        await emit({ type: 'source', data: { type: 'code_execution', id: 'run', name: 'x', code: '1', result: { output: '1' } } })
        await emit({ type: 'chat:message:favorite', data: { favorite: true } })
        await emit({ type: 'chat:title', data: { title: 'By a pipe' } })
        await emit({ type: 'chat:tags', data: { tags: ['noon'] } })
        await emit({ type: 'notification', data: { type: 'info', content: 'Hello' } })
        await emit({ type: 'replace', data: { content: '' } })
        await emit({ type: 'unheard', data: {} })
        await emit('nothing')
        return 'The content.'
      }
    }`,
    )
    const ana = await app.user()
    const { seen, session_id } = await connect(ana)
    const chat = await prepareChat(ana, { model: id })
    const reply = await ana.post(path, { ...chat.body, model: id, session_id })
    expect(reply.body.choices[0].message.content).toBe('The content.')
    expect(await chat.done()).toMatchObject({
      content: 'The content.',
      statusHistory: [
        { description: 'Looking', done: false },
        { description: 'Hidden', done: true, hidden: true },
      ],
      embeds: ['<b>two</b>'],
      files: [{ type: 'file', id: 'f' }],
      sources: [{ source: { name: 'Almanac' } }],
      code_executions: [{ id: 'run', result: { output: '1' } }],
      favorite: true,
    })
    const stored = (await ana.get(`/api/v1/chats/${chat.chatId}`)).body
    expect(stored).toMatchObject({ title: 'By a pipe', meta: { tags: ['noon'] } })
    await expect
      .poll(() => seen.map(({ type }) => type))
      .toEqual(
        expect.arrayContaining([
          'status',
          'embeds',
          'chat:message:embeds',
          'files',
          'citation',
          'source',
          'chat:message:favorite',
          'chat:title',
          'chat:tags',
          'notification',
        ]),
      )
    expect(seen.map(({ type }) => type)).not.toContain('unheard')
    await remove('functions', id)
  })

  it('ask the one browser that the request names, and throw at once without it', async () => {
    const id = await add(
      'tools',
      `export class Tools {
      async fill(args, { __event_call__: ask }) {
        const name = await ask({ type: 'input', data: { title: 'Name?', message: 'Yours', placeholder: 'Ana', type: 'password' } })
        const sure = await ask({ type: 'confirmation', data: { title: 'Sure?', message: 'Really?' } })
        const page = await ask({ type: 'execute', data: { code: 'return document.title' } }).catch((problem) => problem.message)
        const odd = await ask({ type: 'notification', data: {} }).catch((problem) => problem.message)
        return JSON.stringify({ name, sure, page, odd })
      }
    }`,
    )
    const [ana, ben] = [await app.user(), await app.user()]
    const { session_id } = await connect(ana, { input: 'Ana', confirmation: true, execute: { error: 'no title' } })
    const bystander = await connect(ana)
    const ask = async (person: typeof ana, session: string | null) => {
      provider.script({ toolCalls: [{ name: 'fill', arguments: {} }] }, { text: 'Done.' })
      await person.post(path, { model: 'swift', messages, tool_ids: [id], session_id: session })
      return lastSent().messages.at(-1).content
    }
    expect(JSON.parse(await ask(ana, session_id))).toEqual({
      name: { value: 'Ana' },
      sure: true,
      page: 'The code failed in the browser: no title',
      odd: expect.stringContaining('confirmation, input or execute'),
    })
    expect(bystander.seen).toEqual([])
    // A33: the session of somebody else is nobody's.
    expect(await ask(ben, session_id)).toContain('not connected')
    expect(await ask(ana, null)).toContain('names no session')
    await remove('tools', id)
  })

  it('A32: are not taken from a model’s stream, and questions not from the REST endpoint', async () => {
    const ana = await app.user()
    const { seen, session_id } = await connect(ana)
    const chat = await prepareChat(ana)
    const execute = { type: 'execute', data: { code: 'steal()' } }
    const chunk = { event: execute, choices: [{ index: 0, delta: { content: 'x' } }] }
    provider.script({ bytes: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, contentType: 'text/event-stream' })
    await ana.post(path, { model: 'swift', ...chat.body, session_id, stream: true })
    await chat.done()
    const door = `/api/v1/chats/${chat.chatId}/messages/${chat.messageId}/event`
    for (const type of ['execute', 'input', 'confirmation', 'chat:title', 'chat:completion'])
      expect(await ana.post(door, { type, data: { code: '1', title: 'x' } }), type).toMatchObject({
        status: 400,
        body: { code: 'event_not_allowed' },
      })
    expect(seen.filter(({ type }) => ['execute', 'input', 'confirmation'].includes(type))).toEqual([])
  })
})

describe('actions', () => {
  it('run on a message of the caller, with events, and answer with what they return', async () => {
    const id = await add(
      'functions',
      `export class Action {
      async action(body, { __event_emitter__, __message_id__ }) {
        await __event_emitter__({ type: 'embeds', data: { embeds: ['https://example.test/'] } })
        await __event_emitter__({ type: 'chat:completion', data: { seq: 1, choices: [{ delta: { content: 'One ' } }] } })
        await __event_emitter__({ type: 'chat:message:delta', data: { content: 'two' } })
        await __event_emitter__({ type: 'chat:title', data: 'By an action' })
        await __event_emitter__({ type: 'chat:tags', data: ['by-an-action'] })
        return { last: body.messages.at(-1).content, on: __message_id__ }
      }
    }`,
    )
    const [ana, ben] = [await app.user(), await app.user()]
    const { seen } = await connect(ana)
    const chat = await prepareChat(ana, { title: 'Mine' })
    // Named and tagged by a person.
    await ana.post(`/api/v1/chats/${chat.chatId}`, { chat: { title: 'My own', tags: ['mine'] } })
    const body = {
      model: 'swift',
      chat_id: chat.chatId,
      id: chat.messageId,
      messages: [{ role: 'assistant', content: 'noon' }],
    }
    expect((await ana.post(`/api/chat/actions/${id}`, body)).body).toEqual({
      result: { last: 'noon', on: chat.messageId },
    })
    expect(await chat.message()).toMatchObject({ embeds: ['https://example.test/'], content: 'One two' })
    // Without a number, which only the server's own frames have; and what a person chose is neither replaced nor shown.
    const types = ['embeds', 'chat:completion', 'chat:message:delta']
    await expect.poll(() => seen.map(({ type }) => type).filter((type) => type !== 'chat:changed')).toEqual(types)
    expect(seen.find(({ type }) => type === 'chat:completion')?.data).toEqual({
      choices: [{ delta: { content: 'One ' } }],
    })
    expect((await ana.get(`/api/v1/chats/${chat.chatId}`)).body).toMatchObject({
      title: 'My own',
      meta: { tags: ['mine'] },
    })
    expect(await ben.post(`/api/chat/actions/${id}`, body)).toMatchObject({
      status: 404,
      body: { code: 'chat_not_found' },
    })
    await remove('functions', id)
    expect(await ana.post(`/api/chat/actions/${id}`, body)).toMatchObject({
      status: 404,
      body: { code: 'plugin_not_found' },
    })
  })
})

describe('access_grants of a function', () => {
  it('decide who runs an action, names a filter and asks a pipe; a filter of everybody still runs for everybody', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const granted = { access_grants: [{ principal_type: 'user', principal_id: ana.id, permission: 'read' }] }
    const action = await add('functions', "export class Action { action() { return 'ran' } }", granted)
    const run = (person: typeof ana) =>
      person.post(`/api/chat/actions/${action}`, { model: 'swift', messages: [{ role: 'assistant', content: 'noon' }] })
    expect(await run(ana)).toMatchObject({ status: 200, body: { result: 'ran' } })
    expect(await run(ben)).toMatchObject({ status: 404, body: { code: 'plugin_not_found' } })

    const marking = "toggle = true; inlet(body) { body.messages[0].content = 'marked'; return body }"
    const filter = await addFilter(marking, granted)
    const usable = async (person: typeof ana) => (await person.get('/api/v1/functions/usable')).text
    expect(await usable(ana)).toContain(action)
    expect(await usable(ana)).toContain(filter)
    expect(await usable(ben)).not.toContain(action)
    expect(await usable(ben)).not.toContain(filter)
    const ask = (person: typeof ana, more: object) => person.post(path, { model: 'swift', messages, ...more })
    expect(await ask(ana, { filter_ids: [filter] })).toMatchObject({ status: 200 })
    expect(await ask(ben, { filter_ids: [filter] })).toMatchObject({ status: 400 })

    const everywhere = "inlet(body) { body.messages[0].content = 'checked'; return body }"
    const global = await addFilter(everywhere, granted)
    await owner.post(`/api/v1/functions/id/${global}/toggle/global`)
    expect(await ask(ben, {})).toMatchObject({ status: 200 })
    expect(lastSent().messages[0].content).toBe('checked')
    await remove('functions', global)

    const pipe = await add('functions', "export class Pipe { pipe() { return 'piped' } }", granted)
    expect(await ask(ana, { model: pipe })).toMatchObject({ status: 200 })
    expect((await ask(ben, { model: pipe })).status).toBe((await ask(ben, { model: 'no such model' })).status)
    expect((await ben.get('/api/models')).text).not.toContain(pipe)
  })
})

describe('the examples', () => {
  it('are listed with their source, which can be saved as it is', async () => {
    const { items } = (await owner.get('/api/v1/functions/examples')).body
    expect(items.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining(['form_tool', 'http_tool', 'pii_mask', 'research_pipe', 'token_budget']),
    )
    for (const { id, name, content } of items) {
      const tree = /export class Tools/.test(content) ? 'tools' : 'functions'
      expect(await owner.post(`/api/v1/${tree}/create`, { id, name, content })).toMatchObject({ status: 201 })
    }
  })

  it('mask personal data on its way to the model and back', async () => {
    const ana = await app.user()
    await owner.post('/api/v1/functions/id/pii_mask/toggle')
    provider.script({ chunks: ['I wrote to [EMA', 'IL_1] for you.'] })
    const asked = [{ role: 'user', content: 'Write to ana@example.test, please.' }]
    const reply = await ana.post(path, { model: 'swift', messages: asked, stream: true, filter_ids: ['pii_mask'] })
    expect(lastSent().messages).toEqual([{ role: 'user', content: 'Write to [EMAIL_1], please.' }])
    const text = framesIn(reply.text).map((frame) => frame.choices?.[0]?.delta?.content ?? '')
    expect(text.join('')).toBe('I wrote to ana@example.test for you.')
  })
})
