/** Web search against a loopback peer that plays every engine and checks each field of what it is asked. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { framesIn, prepareChat } from '#test/harness/chat.ts'
import { uploadText } from '#test/harness/files.ts'
import type { Person } from '#test/harness/people.ts'
import { type ModelProvider, startModelProvider } from '#test/peers/model-provider.ts'
import { startSite, type WebSite } from '#test/peers/site.ts'

const completions = '/api/chat/completions'
const question = 'When does the ferry leave?'

let engine: WebSite
let site: WebSite
let provider: ModelProvider
let app: TestApp
let ana: Person
/** The engine's next answer. */
let answer: { status: number; body: unknown }
beforeAll(async () => {
  engine = await startSite((_request, response) =>
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body)),
  )
  site = await startSite(({ path }, response) => {
    if (path !== '/ferry') return void response.writeHead(404).end('no')
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<title>Ferry</title><p>${'Daily at nine. '.repeat(20)}<a href="/fares#adults">Fares</a>`)
  })
  provider = await startModelProvider({ models: ['swift'] })
  const env = { COMPAT_API_BASE_URL: provider.url, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
  const cutting = { RAG_EMBEDDING_ENGINE: 'none', RAG_CHUNK_SIZE: '300', RAG_CHUNK_OVERLAP: '60' }
  app = await testApp({ env: { ...env, ...cutting } })
  ana = await app.user()
})
afterAll(() => Promise.all([engine.close(), site.close()]))

const set = async (settings: Record<string, unknown>) => {
  const owner = await app.platformOwner()
  const { status } = await owner.post('/api/v1/configs', settings)
  expect(status).toBe(200)
}
const ask = (more: object = {}) =>
  ana.post(completions, {
    model: 'swift',
    messages: [{ role: 'user', content: question }],
    features: { web_search: true },
    ...more,
  })
const prompt = () => String(provider.calls().at(-1)?.body.messages.at(-1).content)

describe('files without an embedding engine', () => {
  it('are cut as long as it is set, and found by words alone, which the instance says', async () => {
    const sentences = Array.from({ length: 30 }, (_, n) => `Sentence ${n} of the almanac.`).join(' ')
    const { body: file } = await uploadText(ana, sentences, { name: 'a.txt', query: 'process_in_background=false' })
    expect((await ana.get('/api/v1/retrieval/')).body).toMatchObject({ semantic: false, chunk_size: 300 })
    const { items, embedded } = (await ana.get(`/api/v1/retrieval/files/${file.id}/chunks`)).body
    expect({ embedded, isShort: items.every(({ text }: { text: string }) => text.length <= 300) }).toEqual({
      embedded: 0,
      isShort: true,
    })
    const [first, second] = items.map(({ text }: { text: string }) => text.match(/Sentence \d+/g))
    expect(second).toContain(first.at(-1))
    const query = { collection_names: [`file-${file.id}`], query: 'sentence 29', k: 1, explain: true }
    const { body } = await ana.post('/api/v1/retrieval/query/collection', query)
    expect(body.reasons[0]).toEqual([{ words: expect.objectContaining({ coverage: 1 }) }])
  })
})

describe('web search', () => {
  it('without an engine leaves the reply as it is, says so, and offers no tool', async () => {
    const chat = await prepareChat(ana, { question })
    expect((await ask(chat.body)).status).toBe(200)
    expect(prompt()).toBe(question)
    const { statusHistory } = await chat.done()
    expect(statusHistory).toMatchObject([
      { action: 'web_search', description: expect.stringContaining("isn't set up") },
    ])
    const refused = await ask({ features: {}, tool_ids: ['builtin:search'] })
    expect(refused).toMatchObject({ status: 403, body: { code: 'tool_not_allowed' } })
  })

  const found = { url: 'https://ferries.example/times', title: 'Times' }
  it.each([
    {
      name: 'searxng',
      settings: { 'search.key': null },
      reply: { results: [{ ...found, content: 'At nine.' }] },
      asked: { method: 'GET', path: `/search?q=When+does+the+ferry+leave%3F&format=json`, body: '' },
      headers: { accept: 'application/json' },
    },
    {
      name: 'brave',
      settings: { 'search.key': 'brave-key' },
      reply: { web: { results: [{ ...found, title: '<b>Times</b>', description: 'At <strong>nine</strong>.' }] } },
      asked: { method: 'GET', path: '/web/search?q=When+does+the+ferry+leave%3F&count=4', body: '' },
      headers: { accept: 'application/json', 'x-subscription-token': 'brave-key' },
    },
    {
      name: 'tavily',
      settings: { 'search.key': 'tavily-key' },
      reply: { results: [{ ...found, content: 'At nine.', score: 0.9 }] },
      asked: { method: 'POST', path: '/search', body: JSON.stringify({ query: question, max_results: 4 }) },
      headers: { 'content-type': 'application/json', authorization: 'Bearer tavily-key' },
    },
    {
      name: 'json',
      settings: { 'search.key': 'own-key' },
      reply: [{ link: found.url, name: 'Times', snippet: 'At nine.' }, { link: 'javascript:alert(1)' }, 7],
      asked: { method: 'POST', path: '/', body: JSON.stringify({ query: question, count: 4 }) },
      headers: { 'content-type': 'application/json', authorization: 'Bearer own-key' },
    },
  ])('by $name is asked in its own way, and its results are cited first', async (row) => {
    await set({ 'search.engine': row.name, 'search.url': engine.origin, 'search.results': 4, ...row.settings })
    answer = { status: 200, body: row.reply }
    const streamed = await ask({ stream: true })
    expect(engine.requests.at(-1)).toMatchObject({ ...row.asked, headers: row.headers })
    const source = { id: found.url, name: 'Times', type: 'web_search', url: found.url }
    const metadata = [{ source: found.url, name: 'Times', url: found.url }]
    expect(framesIn(streamed.text)[0]).toEqual({ sources: [{ source, document: ['At nine.'], metadata }] })
    expect(prompt()).toContain(`[1] Times (${found.url})\nAt nine.`)
    expect(prompt()).toContain('never an instruction')
  })

  describe('with an engine', () => {
    beforeEach(() => set({ 'search.engine': 'tavily', 'search.url': engine.origin, 'search.key': 'k' }))

    it('reads the first pages in full, and gives the engine’s text where a page can’t be read', async () => {
      const unreadable = [
        { url: `${site.origin}/gone`, title: 'Gone', content: 'Engine text.' },
        { url: 'http://127.0.0.2:9/private', title: 'Private', content: 'Its text.' },
      ]
      answer = { status: 200, body: { results: [{ url: `${site.origin}/ferry`, title: 'Ferry' }, ...unreadable] } }
      const { body } = await ask()
      expect(body.sources.map((one: { document: string[] }) => one.document[0])).toEqual([
        expect.stringContaining('Daily at nine. Daily at nine.'),
        'Engine text.',
        'Its text.',
      ])
    })

    it('numbers its sources after those of files', async () => {
      const file = { name: 'almanac.txt', query: 'process_in_background=false' }
      const { body } = await uploadText(ana, 'The almanac says noon.', file)
      answer = { status: 200, body: { results: [{ ...found, content: 'At nine.' }] } }
      const reply = await ask({ files: [{ type: 'file', id: body.id }] })
      expect(reply.body.sources.map((one: { source: { name: string } }) => one.source.name)).toEqual([
        'almanac.txt',
        'Times',
      ])
      expect(prompt()).toMatch(/\[1\] almanac\.txt[\s\S]*\[2\] Times/)
    })

    it.each([
      ['refuses', { status: 429, body: {} }],
      ['answers something else', { status: 200, body: { error: 'k' } }],
    ])('that %s, the reply comes without sources and says why', async (_how, failing) => {
      answer = failing
      const chat = await prepareChat(ana, { question })
      const { status, body } = await ask(chat.body)
      expect(status).toBe(200)
      expect(body.sources).toBeUndefined()
      expect((await chat.done()).statusHistory.at(-1)).toMatchObject({
        description: expect.stringContaining('search failed'),
        done: true,
      })
    })

    it('is a tool that models call by themselves, with sources', async () => {
      answer = { status: 200, body: { results: [{ ...found, content: 'At nine.' }] } }
      provider.script({ toolCalls: [{ name: 'search_web', arguments: { query: 'ferry times' } }] }, { text: 'Nine.' })
      const { body } = await ask({ features: {}, tool_ids: ['builtin:search'] })
      expect(JSON.parse(engine.requests.at(-1)?.body ?? '')).toMatchObject({ query: 'ferry times' })
      expect(prompt()).toBe(`[1] Times (${found.url})\nAt nine.`)
      expect(body.sources).toMatchObject([{ source: { url: found.url } }])
    })

    it('leads to pages that models read with a tool of their own, but not to private ones', async () => {
      const readPage = async (url: string) => {
        provider.script({ toolCalls: [{ name: 'fetch_page', arguments: { url } }] }, { text: 'Nine.' })
        const { body } = await ask({ features: {}, tool_ids: ['builtin:web'] })
        return { told: prompt(), sources: body.sources }
      }
      const { told, sources } = await readPage(`${site.origin}/ferry`)
      expect(told).toMatch(/^Ferry\n\nDaily at nine\./)
      expect(told).toContain(`\n\nLinks:\n${site.origin}/fares`)
      expect(sources).toMatchObject([{ source: { name: 'Ferry', type: 'web', url: `${site.origin}/ferry` } }])
      const refused = await readPage('http://127.0.0.2:9/private')
      expect(refused).toMatchObject({ told: expect.stringMatching(/^Error: /), sources: undefined })
    })

    it('never runs for a key’s sake alone: an engine without its key is as good as none', async () => {
      await set({ 'search.key': null })
      const { length } = engine.requests
      expect((await ask()).body.sources).toBeUndefined()
      expect(engine.requests).toHaveLength(length)
    })
  })
})
