/** Every endpoint that calls a model, with every field by which a caller could steer a provider, in three spellings. */
import { afterAll, describe, expect, it } from 'vitest'
import { allSteeringFields } from '#modules/models/index.ts'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { startModelRuntime } from '#test/peers/model-runtime.ts'

const provider = await startModelProvider({ models: ['swift'] })
const runtime = await startModelRuntime({ models: ['tiny:latest'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url, UPSTREAM_BASE_URL: runtime.url } })
const ana = await app.user()
afterAll(() => Promise.all([provider.close(), runtime.close()]))

const spellings = (name: string) => [name, name.toUpperCase(), name.replace(/^./, (letter) => letter.toUpperCase())]
const steering = Object.fromEntries(allSteeringFields.flatMap(spellings).map((name) => [name, 'http://evil.test']))

const messages = [{ role: 'user', content: 'Hello' }]
const chat = { messages }
const text = { prompt: 'Hello' }
const input = { input: ['Hello'] }

const doors: readonly (readonly [string, Record<string, unknown>])[] = [
  ['/api/chat/completions', chat],
  ['/api/chat/completions', { ...chat, stream: true }],
  ['/api/v1/chat/completions', chat],
  ['/api/v1/messages', { ...chat, max_tokens: 100 }],
  ['/api/message', { ...chat, max_tokens: 100, stream: true }],
  ['/upstream/v1/chat/completions', chat],
  ['/upstream/v1/completions', text],
  ['/upstream/v1/embeddings', input],
  ['/upstream/v1/responses', input],
]
const nativeDoors = [
  ['/upstream/api/chat', chat],
  ['/upstream/api/generate', text],
  ['/upstream/api/embed', input],
  ['/upstream/v1/messages', { ...chat, max_tokens: 100 }],
] as const

describe('a field that could steer a provider', () => {
  it.each([
    ...doors.map(([path, body]) => ['swift', path, body] as const),
    ...[...doors, ...nativeDoors].map(([path, body]) => ['tiny:latest', path, body] as const),
  ])('does not reach %s through %s %j', async (model, path, body) => {
    const peer = model === 'swift' ? provider : runtime
    const count = peer.requests.length
    const reply = await ana.post(path, { ...steering, ...body, model })
    expect(reply.status).toBeLessThan(300)
    const sent = peer.requests.slice(count).filter(({ method }) => method === 'POST')
    expect(sent).toHaveLength(1)
    const names = Object.keys(sent[0]?.body).map((name) => name.toLowerCase())
    expect(names.filter((name) => allSteeringFields.includes(name))).toEqual([])
    expect(sent[0]?.bytes.toString()).not.toContain('evil.test')
  })

  it('does not reach a provider with a reply into a chat, or from the parameters of a custom model', async () => {
    const made = await ana.post('/api/v1/models/create', {
      id: 'crooked',
      name: 'Crooked',
      base_model_id: 'swift',
      params: steering,
    })
    expect(made.status).toBeLessThan(300)
    const prepared = await prepareChat(ana, { model: 'crooked' })
    const count = provider.calls().length
    const replied = await ana.post('/api/chat/completions', { ...steering, model: 'crooked', ...prepared.body })
    expect(replied.status).toBe(200)
    await ana.post('/upstream/v1/chat/completions', { model: 'crooked', messages })
    const sent = provider.calls().slice(count)
    expect(sent).toHaveLength(2)
    for (const { bytes } of sent) expect(bytes.toString()).not.toContain('evil.test')
  })
})
