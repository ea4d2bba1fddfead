/** Images made by a loopback peer that checks each field of what it is asked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import type { Person } from '#test/harness/people.ts'
import { type ModelProvider, startModelProvider } from '#test/peers/model-provider.ts'
import { startSite, type WebSite } from '#test/peers/site.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

let engine: WebSite
let provider: ModelProvider
let app: TestApp
let ana: Person
/** The engine's next answer. */
let answer: { status: number; body: object }
beforeAll(async () => {
  engine = await startSite(({ path }, response) => {
    if (path === '/made.png') return void response.writeHead(200).end(png)
    if (path === '/lost.png') return void response.writeHead(404).end()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
  provider = await startModelProvider({ models: ['swift'] })
  const env = { COMPAT_API_BASE_URL: provider.url, RAG_EMBEDDING_ENGINE: 'none' }
  app = await testApp({ env, timings: { usageFlushMs: 50 } })
  ana = await app.user()
})
afterAll(() => engine.close())

const set = async (settings: Record<string, unknown>) => {
  const owner = await app.platformOwner()
  expect((await owner.post('/api/v1/configs', settings)).status).toBe(200)
}
/** The model calls the tool once. Returns the stored reply and what the tool told the model. */
const draw = async (prompt: unknown = 'A red boat', person = ana) => {
  provider.script({ toolCalls: [{ name: 'generate_image', arguments: { prompt } }] }, { text: 'Here it is.' })
  const chat = await prepareChat(person, { question: 'Draw a boat.' })
  const request = { model: 'swift', ...chat.body, features: { image_generation: true } }
  expect((await person.post('/api/chat/completions', request)).status).toBe(200)
  const told = String(provider.calls().at(-1)?.body.messages.at(-1).content)
  return { message: await chat.done(), told }
}

describe('making images', () => {
  it('is not offered without a server for it, and the reply says so', async () => {
    const chat = await prepareChat(ana, { question: 'Draw a boat.' })
    await ana.post('/api/chat/completions', { model: 'swift', ...chat.body, features: { image_generation: true } })
    const message = await chat.done()
    expect(message.statusHistory[0]).toMatchObject({ description: "Making images isn't set up on this server." })
    expect((await ana.get('/api/v1/tools')).text).not.toContain('builtin:images')
  })

  it('asks the server in the common way, stores the image as a file and shows it with the reply', async () => {
    const url = `${engine.origin}/v1`
    await set({ 'images.url': url, 'images.key': 'draw-key', 'images.model': 'painter', 'images.size': '512x512' })
    answer = { status: 200, body: { data: [{ b64_json: png.toString('base64') }] } }
    const { message, told } = await draw()
    const asked = engine.requests.at(-1)
    expect(asked).toMatchObject({
      method: 'POST',
      path: '/v1/images/generations',
      headers: { authorization: 'Bearer draw-key', 'content-type': 'application/json' },
    })
    expect(JSON.parse(asked?.body ?? '')).toEqual({ model: 'painter', prompt: 'A red boat', n: 1, size: '512x512' })
    const [{ id, ...shown }] = message.files
    expect(shown).toEqual({ type: 'image', name: 'A red boat.png', url: `/api/v1/files/${id}/content` })
    expect(told).toContain(shown.url)
    expect((await ana.get(`/api/v1/files/${id}`)).body).toMatchObject({
      user_id: ana.id,
      meta: { content_type: 'image/png', size: png.length },
    })
    expect((await (await app.user()).get(shown.url)).status).toBe(404)
  })

  it('also takes an image that is named by its address', async () => {
    answer = { status: 200, body: { data: [{ url: `${engine.origin}/made.png` }] } }
    expect((await draw()).message.files).toHaveLength(1)
  })

  it('counts towards usage with what the server reports, also where the image can’t be had, and as a failure where it fails', async () => {
    const bob = await app.user()
    const body = { data: [{ b64_json: png.toString('base64') }], usage: { input_tokens: 7, output_tokens: 1056 } }
    answer = { status: 200, body }
    expect((await draw('A blue boat', bob)).message.files).toHaveLength(1)
    answer = { status: 500, body: {} }
    await draw('A boat that fails', bob)
    answer = { status: 200, body: { ...body, data: [{ url: `${engine.origin}/lost.png` }] } }
    await draw('A boat that gets lost', bob)
    const counted = () =>
      app.db
        .selectFrom('usageDays')
        .select(['requests', 'failures', 'promptTokens', 'completionTokens'])
        .where('principalId', '=', bob.id)
        .where('model', '=', 'painter')
        .executeTakeFirst()
    await expect.poll(counted).toEqual({ requests: 3, failures: 2, promptTokens: 14, completionTokens: 2112 })
  })

  it.each([
    ['refuses', { status: 400, body: { error: { message: 'draw-key is wrong' } } }],
    ['answers with something that is no image', { status: 200, body: { data: [{ b64_json: 'AAAA' }] } }],
    ['names a private address', { status: 200, body: { data: [{ url: 'http://127.0.0.2:9/x.png' }] } }],
  ])('stores nothing where the server %s, and tells the model', async (_how, failing) => {
    answer = failing
    const { message, told } = await draw()
    expect(told).toBe("Error: The image couldn't be made. Try again.")
    expect(message.files ?? []).toEqual([])
  })

  it('needs a description', async () => {
    const { length } = engine.requests
    expect((await draw(7)).told).toContain('Give prompt as text')
    expect(engine.requests).toHaveLength(length)
  })
})
