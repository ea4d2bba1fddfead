/** The ports that plugins and knowledge will fill, and what they may do to a completion, by build. */
import { describe, expect, it, vi } from 'vitest'
import { AppError } from '#kernel/errors.ts'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { framesIn, prepareChat } from '#test/harness/chat.ts'
import { createSockets } from '#test/harness/sockets.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import type { Filter } from './index.ts'

const provider = await startModelProvider({ models: ['swift'] })
const env = { COMPAT_API_BASE_URL: provider.url }
const release = await testApp({ env })
const preRelease = await testApp({ env: { ...env, SVC_BUILD: 'pre-release' } })
const path = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Say it.' }]
const lastSent = () => provider.calls().at(-1)?.body

/** In force when a request names it. */
const filters = new Map<string, Filter>()
const filter = (id: string, { priority = 0, ...rest }: Partial<Filter>): string => {
  filters.set(id, { id, priority, ...rest })
  return id
}
for (const app of [release, preRelease])
  app.ports.completions.registerFilters({
    filtersFor: (_context, ids) => ids.flatMap((id) => filters.get(id) ?? []),
  })

const addsToPrompt =
  (word: string): NonNullable<Filter['inlet']> =>
  async (body) => ({
    ...body,
    messages: body.messages.map((message) => ({ ...message, content: `${message.content} ${word}` })),
  })
const shouts: NonNullable<Filter['outlet']> = async (payload) => ({
  ...payload,
  messages: payload.messages.map((message) =>
    message.role === 'assistant' ? { ...message, content: String(message.content).toUpperCase() } : message,
  ),
})

describe('inlet filters', () => {
  it('change the request, in the order of their priority', async () => {
    const ana = await release.user()
    const ids = [
      filter('b', { priority: 1, inlet: addsToPrompt('third') }),
      filter('c', { inlet: addsToPrompt('second') }),
      filter('a', { inlet: addsToPrompt('first') }),
    ]
    await ana.post(path, { model: 'swift', messages, filter_ids: ids })
    expect(lastSent().messages).toEqual([{ role: 'user', content: 'Say it. first second third' }])
    expect(lastSent().filter_ids).toBeUndefined()
  })

  it('refuse by throwing: in their own words, or with a code', async () => {
    const ana = await release.user()
    const count = provider.calls().length
    const rude = filter('rude', { inlet: () => Promise.reject(new Error('No swearing, please.')) })
    const refused = await ana.post(path, { model: 'swift', messages, filter_ids: [rude] })
    expect(refused).toMatchObject({ status: 400, body: { code: 'filter_refused', detail: 'No swearing, please.' } })
    const strict = filter('strict', { inlet: () => Promise.reject(new AppError('forbidden')) })
    expect(await ana.post(path, { model: 'swift', messages, filter_ids: [strict] })).toMatchObject({ status: 403 })
    expect(provider.calls().length).toBe(count)
  })

  it('get the caller, and which of the caller’s own sockets the request names (A33)', async () => {
    const ana = await release.user()
    const chat = await prepareChat(ana)
    const seen: unknown[] = []
    const spy = filter('spy', {
      inlet: async (body, context) => {
        seen.push({ ...context, actor: context.actor.id, emit: typeof context.emit })
        return body
      },
    })
    await ana.post(path, { model: 'swift', ...chat.body, filter_ids: [spy] })
    const { chat_id: chatId, id: messageId, session_id: sessionId } = chat.body
    const model = { modelId: 'swift', modelFilterIds: [] }
    expect(seen).toEqual([{ actor: ana.id, ...model, chatId, messageId, sessionId, emit: 'function' }])
  })
})

describe('a filter that nobody knows', () => {
  it.each([
    [path, {}],
    [path, { stream: true }],
    ['/api/chat/completed', {}],
    ['/api/v1/messages', { max_tokens: 9 }],
  ])('is refused by %s %j, not ignored', async (door, more) => {
    const ana = await release.user()
    const count = provider.calls().length
    const reply = await ana.post(door, { model: 'swift', messages, filter_ids: ['nobody'], ...more })
    expect(reply).toMatchObject({ status: 400, body: { code: 'filter_not_found' } })
    expect(provider.calls()).toHaveLength(count)
  })
})

describe('stream filters', () => {
  it('change and drop chunks; one that fails changes nothing', async () => {
    const ana = await release.user()
    const ids = [
      filter('fails', { stream: () => Promise.reject(new Error('oops')) }),
      filter('drops', { stream: async (chunk) => (JSON.stringify(chunk).includes('secret') ? null : chunk) }),
    ]
    provider.script({ chunks: ['a ', 'secret ', 'b'] })
    const reply = await ana.post(path, { model: 'swift', messages, stream: true, filter_ids: ids })
    const text = framesIn(reply.text).map((frame) => frame.choices?.[0]?.delta?.content ?? '')
    expect(text.join('')).toBe('a b')
  })
})

describe('outlet filters', () => {
  const id = filter('shouts', { outlet: shouts })

  const completeIn = async (app: TestApp, extra: object) => {
    const ana = await app.user()
    const events: { data: { type: string; data: unknown } }[] = []
    const socket = await createSockets(app.url).connectAs(ana)
    socket.on('events', (event) => void events.push(event))
    const chat = await prepareChat(ana)
    provider.script({ text: 'noon' })
    const reply = await ana.post(path, { model: 'swift', ...chat.body, filter_ids: [id], ...extra })
    const stored = await chat.message()
    // The outlet is called before the title is made, so a reader who has the title has both.
    await ana.post(`/api/v1/chats/${chat.chatId}`, { chat: { title: 'Heard' } })
    await vi.waitFor(() => expect(JSON.stringify(events)).toContain('Heard'))
    socket.disconnect()
    return { reply, stored, outlets: events.filter(({ data }) => data.type === 'chat:outlet') }
  }

  it('do not run within a completion on a release', async () => {
    const { reply, stored, outlets } = await completeIn(release, {})
    expect(reply.body.choices[0].message.content).toBe('noon')
    expect(stored.content).toBe('noon')
    expect(outlets).toEqual([])
  })

  it('run within one on a pre-release: the stored message changes, the answer does not, the tabs are told', async () => {
    const { reply, stored, outlets } = await completeIn(preRelease, {})
    expect(reply.body.choices[0].message.content).toBe('noon')
    expect(stored.content).toBe('NOON')
    expect(outlets).toMatchObject([{ data: { data: { messages: [{ role: 'user' }, { content: 'NOON' }] } } }])
  })

  it('do not run within a streamed one, whose content goes to the sockets: the body is as good as empty', async () => {
    const { reply, stored, outlets } = await completeIn(preRelease, { stream: true })
    expect(reply.text).toBe('data: [DONE]\n\n')
    expect(stored).toMatchObject({ content: 'noon', done: true })
    expect(outlets).toEqual([])
  })

  it('do not run within one that belongs to no chat', async () => {
    const ana = await preRelease.user()
    provider.script({ text: 'noon' })
    const reply = await ana.post(path, { model: 'swift', messages, filter_ids: [id] })
    expect(reply.body.choices[0].message.content).toBe('noon')
  })

  it.each([
    ['release', release, null],
    ['pre-release', preRelease, 'true'],
  ] as const)('run at /api/chat/completed on a %s', async (_build, app, deprecation) => {
    const ana = await app.user()
    const answer = { role: 'assistant', content: 'noon', id: 'x' }
    const body = { model: 'swift', messages: [...messages, answer], filter_ids: [id], more: 1 }
    const reply = await ana.post('/api/chat/completed', body)
    expect(reply).toMatchObject({
      status: 200,
      body: { ...body, messages: [...messages, { ...answer, content: 'NOON' }] },
    })
    expect(reply.headers.get('deprecation')).toBe(deprecation)
  })
})

describe('features', () => {
  it('run when they are switched on, and only then; an unknown one changes nothing', async () => {
    const ana = await release.user()
    release.ports.completions.registerFeature('memory', async (body) => ({ ...body, user: 'remembered' }))
    await ana.post(path, { model: 'swift', messages, features: { memory: true, web_search: true } })
    expect(lastSent()).toMatchObject({ user: 'remembered' })
    await ana.post(path, { model: 'swift', messages, features: { memory: false } })
    expect(lastSent().user).toBeUndefined()
  })
})

describe('retrieval', () => {
  const source = { source: { id: 'f', name: 'Almanac', type: 'file' }, document: ['noon'], metadata: [{}] }
  preRelease.ports.completions.registerRetriever({
    retrieve: async ({ files, query }) => ({
      sources: [source],
      context: `<source id="1">${files[0]?.id} ${query}</source>`,
    }),
  })
  const files = [
    { type: 'file', id: 'ready', status: 'processed' },
    { type: 'file', id: 'not-ready', status: 'processing' },
  ]

  it('gives the model what was found, and the caller the sources: first frame, or top level', async () => {
    const ana = await preRelease.user()
    const whole = await ana.post(path, { model: 'swift', messages, files })
    expect(whole.body.sources).toEqual([source])
    expect(lastSent().files).toBeUndefined()
    expect(lastSent().messages[0].content).toContain('<source id="1">ready Say it.</source>')
    const streamed = await ana.post(path, { model: 'swift', messages, files, stream: true })
    expect(framesIn(streamed.text)[0]).toEqual({ sources: [source] })
  })

  it('leaves files alone that are not processed', async () => {
    const ana = await release.user()
    expect(await ana.post(path, { model: 'swift', messages, files: files.slice(1) })).toMatchObject({ status: 200 })
  })

  it('stores the sources with the message', async () => {
    const ana = await preRelease.user()
    const chat = await prepareChat(ana)
    await ana.post(path, { model: 'swift', ...chat.body, files })
    expect(await chat.message()).toMatchObject({ sources: [source], done: true })
  })
})
