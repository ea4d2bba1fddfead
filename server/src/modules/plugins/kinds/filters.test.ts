/** Filters through the whole app: which run, in which order, and at which doors. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn, prepareChat } from '#test/harness/chat.ts'
import { createPluginAuthor } from '#test/harness/plugins.ts'
import { runThrough } from '#test/harness/runs.ts'
import { node } from '#test/harness/workflows.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { startModelRuntime } from '#test/peers/model-runtime.ts'

const provider = await startModelProvider({ models: ['swift'] })
const runtime = await startModelRuntime({ models: ['local:latest'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url, UPSTREAM_BASE_URL: runtime.url } })
const owner = await app.platformOwner()
const { addFilter, remove } = createPluginAuthor(owner)
const path = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Say it.' }]
const lastSent = () => provider.calls().at(-1)?.body
const shouting = `stream(chunk) {
  const delta = chunk.choices?.[0]?.delta
  if (delta?.content?.includes('secret')) return null
  if (delta?.content) delta.content = delta.content.toUpperCase()
  return chunk
}`

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
