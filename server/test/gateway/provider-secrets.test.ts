/** A provider that repeats the key of its connection, through every endpoint. */
import { afterAll, describe, expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { type Behaviour, startModelProvider } from '#test/peers/model-provider.ts'
import { startModelRuntime } from '#test/peers/model-runtime.ts'

const key = 'sk-live-81f7c2d9e4/b'
/** As some JSON writers spell it. */
const escaped = key.replaceAll('/', '\\/')
const provider = await startModelProvider({ models: ['swift'], key })
const runtime = await startModelRuntime({ models: ['tiny:latest'], key })
const app = await testApp()
const owner = await app.platformOwner()
for (const [type, peer] of [
  ['compat', provider],
  ['upstream', runtime],
] as const) {
  const made = await owner.post('/api/v1/connections', { type, name: type, url: peer.url, key })
  if (made.status >= 300) throw new Error(made.text)
}
const ana = await app.user()
await vi.waitFor(async () => expect((await ana.get('/api/models')).text).toMatch(/swift.*tiny|tiny.*swift/), {
  timeout: 20_000,
})
afterAll(() => Promise.all([provider.close(), runtime.close()]))

const messages = [{ role: 'user', content: 'Hello' }]
const chunk = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`
const sse = (...frames: string[]): Behaviour => ({ bytes: frames.join(''), contentType: 'text/event-stream' })
const errorFrame = `data: {"error":{"message":"Incorrect API key provided: ${escaped}","code":"invalid_api_key"}}\n\n`

const behaviours: Record<string, Behaviour> = {
  'an error': { fail: { status: 400, body: { error: { message: `bad ${key}`, code: key, param: key } } } },
  'a failure': { fail: { status: 500, body: { error: { message: `bad ${key}`, code: key, param: key } } } },
  'a limit': { fail: { status: 429, body: { error: { message: `slow down, ${escaped}` } } } },
  'a refusal of the key': { fail: { status: 401, body: { error: { message: `bad ${key}` } } } },
  'an error in a body with status 200': {
    bytes: JSON.stringify({ error: { message: key } }),
    contentType: 'application/json',
  },
  'its text': { text: `The key is ${key}.` },
  'a frame in the middle': sse(chunk('Hi'), errorFrame),
  'a frame of any kind': sse(chunk('Hi'), `data: {"debug":"${key}"}\n\n`, chunk('', 'stop'), 'data: [DONE]\n\n'),
  'a stream cut into small pieces': { chunks: ['one ', key, ' two'], splitsAt: 7 },
}

const leaks = (text: string): boolean =>
  [key, escaped, JSON.stringify(key).slice(1, -1)].some((one) => text.includes(one))

describe.each(Object.entries(behaviours))('a key in %s', (_what, behaviour) => {
  it.each([
    ['/api/chat/completions', {}],
    ['/api/v1/messages', { max_tokens: 50 }],
    ['/upstream/v1/chat/completions', {}],
  ])('does not reach a caller of %s', async (path, more) => {
    for (const stream of [false, true])
      for (const features of [{}, { memory: true }]) {
        provider.script(behaviour)
        const reply = await ana.post(path, { model: 'swift', messages, stream, features, ...more })
        expect(leaks(reply.text)).toBe(false)
      }
  })

  it('is neither stored in a chat nor sent to its reader', async () => {
    for (const stream of [false, true]) {
      const chat = await prepareChat(ana)
      provider.script(behaviour)
      const reply = await ana.post('/api/chat/completions', { model: 'swift', stream, ...chat.body })
      expect(leaks(reply.text)).toBe(false)
      expect(leaks(JSON.stringify(await chat.done()))).toBe(false)
    }
  })
})

describe('a runtime that repeats its key', () => {
  it.each([
    ['an error', { fail: { status: 400, body: { error: `no ${key}` } } }],
    ['its text', { text: `The key is ${key}.` }],
    ['small pieces', { chunks: ['one ', key, ' two'], splitsAt: 7 }],
  ] as [string, Behaviour][])('in %s shows it to nobody', async (_what, behaviour) => {
    for (const path of ['/upstream/api/chat', '/api/chat/completions'])
      for (const stream of [false, true]) {
        runtime.script(behaviour)
        const reply = await ana.post(path, { model: 'tiny:latest', messages, stream })
        expect(leaks(reply.text)).toBe(false)
      }
  })
})
