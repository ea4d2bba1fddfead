/** Events and questions of a running plugin, and what is kept of them. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { createPluginAuthor, openBrowser } from '#test/harness/plugins.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url, WEBSOCKET_EVENT_CALLER_TIMEOUT: '30' } })
const owner = await app.platformOwner()
const { add, remove } = createPluginAuthor(owner)
const path = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Say it.' }]
const lastSent = () => provider.calls().at(-1)?.body

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
    const { seen, session_id } = await openBrowser(app.url, ana)
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
    const { session_id } = await openBrowser(app.url, ana, {
      input: 'Ana',
      confirmation: true,
      execute: { error: 'no title' },
    })
    const bystander = await openBrowser(app.url, ana)
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
    const { seen, session_id } = await openBrowser(app.url, ana)
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

describe('the log', () => {
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
})
