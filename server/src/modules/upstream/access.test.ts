/** A07 and A26 at this door: whose models are reached, and what of a caller a runtime gets to see. */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { rawRequest } from '#test/harness/raw.ts'
import { startModelRuntime } from '#test/peers/model-runtime.ts'
import { modelPaths } from './paths.ts'

const runtime = await startModelRuntime({ models: ['open:latest', 'secret:latest'] })
const second = await startModelRuntime({ models: ['tiny:latest'], key: 'rt-key' })
afterAll(() => Promise.all([runtime.close(), second.close()]))
const app = await testApp({ env: { UPSTREAM_BASE_URL: runtime.url } })
const [ana, bob, owner] = [await app.user(), await app.user(), await app.platformOwner()]

const must = async (reply: Promise<{ status: number; text: string }>): Promise<void> => {
  const { status, text } = await reply
  if (status >= 300) throw new Error(`${status} ${text}`)
}
await must(
  owner.post('/api/v1/connections', {
    type: 'upstream',
    name: 'Second',
    url: second.url,
    key: 'rt-key',
    prefix_id: 'two',
  }),
)
await must(
  owner.post('/api/v1/models/create', {
    id: 'secret:latest',
    name: 'Secret',
    access_grants: [{ principal_type: 'user', principal_id: ana.id, permission: 'read' }],
  }),
)
await must(
  owner.post('/api/v1/models/create', {
    id: 'disguise',
    name: 'Disguise',
    base_model_id: 'secret:latest',
    access_grants: null,
  }),
)
await must(
  owner.post('/api/v1/models/create', {
    id: 'clerk',
    name: 'Clerk',
    base_model_id: 'two.tiny:latest',
    access_grants: null,
    params: { system: 'You are a clerk.', temperature: 0.2, max_tokens: 50 },
  }),
)

const bodyFor = (model: string) => ({
  model,
  prompt: 'x',
  input: 'x',
  messages: [{ role: 'user', content: 'x' }],
  stream: false,
  max_tokens: 5,
})
/** Everything except our own request for the list. */
const received = () => [...runtime.requests, ...second.requests].filter(({ path }) => path !== '/api/tags').length

describe.each(modelPaths.map(({ path }) => path))('%s', (path) => {
  it.each(['secret:latest', 'disguise', 'nothing', 'guide', 'tiny:latest', '__proto__', 'constructor'])(
    'does not reach %s for somebody without a right to it, and looks as if there were none',
    async (model) => {
      const before = received()
      const { status, body } = await bob.post(`/upstream${path}`, bodyFor(model))
      const unknown = await bob.post(`/upstream${path}`, bodyFor('no such model'))
      expect(status).toBe(404)
      expect(body).toMatchObject({ code: 'model_not_found' })
      expect({ ...body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
      expect(received()).toBe(before)
    },
  )

  it('reaches what is granted or open, by its name or by the name that older clients send', async () => {
    for (const model of ['secret:latest', 'open:latest', 'disguise', 'two.tiny:latest', 'clerk']) {
      const reply = await ana.post(`/upstream${path}`, bodyFor(model))
      expect(reply.status, model).toBe(200)
    }
    const { model, ...rest } = bodyFor('open:latest')
    await ana.post(`/upstream${path}`, { ...rest, name: model })
    expect(runtime.requests.at(-1)).toMatchObject({ path, body: { name: 'open:latest' } })
  })

  it('needs a credential', async () => {
    const before = received()
    expect((await app.newcomer().post(`/upstream${path}`, bodyFor('open:latest'))).status).toBe(401)
    expect(received()).toBe(before)
  })
})

describe('the lists', () => {
  it.each([
    ['/upstream/api/tags', ({ models }: { models: { name: string }[] }) => models.map(({ name }) => name)],
    ['/upstream/v1/models', ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)],
  ])('%s shows each the own models of all runtimes, with their prefixes', async (path, namesIn) => {
    const names = async (person: typeof ana) => namesIn((await person.get(path)).body as never).sort()
    expect(await names(ana)).toEqual(['clerk', 'disguise', 'open:latest', 'secret:latest', 'two.tiny:latest'])
    expect(await names(bob)).toEqual(['clerk', 'open:latest', 'two.tiny:latest'])
  })

  it('tells of one model only to who may use it', async () => {
    expect((await ana.get('/upstream/v1/models/secret:latest')).status).toBe(200)
    expect(await bob.get('/upstream/v1/models/secret:latest')).toMatchObject({
      status: 404,
      body: { code: 'model_not_found' },
    })
  })
})

describe('a request on its way', () => {
  it('carries nothing of the caller: no cookie, no credential, no address, no redirect target', async () => {
    const steering = { api_base: 'http://evil.test', base_url: 'x', url: 'x', api_key: 'x', headers: { a: 'b' } }
    const headers = {
      cookie: 'token=stolen',
      'x-forwarded-for': '10.1.2.3',
      'x-forwarded-host': 'evil.test',
      forwarded: 'for=x',
      host: 'evil.test',
      'x-api-key': 'sk-x',
      origin: 'http://evil.test',
      'x-custom': 'mine',
    }
    await ana.post('/upstream/api/chat', { ...bodyFor('open:latest'), ...steering }, headers)
    const sent = runtime.requests.at(-1)
    expect(sent?.path).toBe('/api/chat')
    expect(Object.keys(sent?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
    ])
    expect(sent?.headers.host).toBe(new URL(runtime.url).host)
    for (const field of Object.keys(steering)) expect(sent?.body).not.toHaveProperty(field)
  })

  it('names one model, however often and in whatever letters the caller names others', async () => {
    const tricks = { Model: 'secret:latest', MODEL: 'secret:latest', name: 'secret:latest', Name: 'secret:latest' }
    for (const { path } of modelPaths) {
      await bob.post(`/upstream${path}`, { ...tricks, ...bodyFor('open:latest'), mOdEl: 'secret:latest' })
      const sent = runtime.requests.at(-1)
      expect(sent?.path).toBe(path)
      expect(sent?.bytes.toString()).not.toContain('secret')
      expect(Object.entries(sent?.body).filter(([name]) => /^(model|name)$/i.test(name))).toEqual([
        ['model', 'open:latest'],
      ])
    }
  })

  it('means the latest of a model that it names without a tag', async () => {
    expect((await bob.post('/upstream/api/generate', bodyFor('open'))).status).toBe(200)
    expect(runtime.requests.at(-1)?.body.model).toBe('open:latest')
    expect((await bob.post('/upstream/api/generate', bodyFor('secret'))).status).toBe(404)
  })

  it('takes the key of its runtime and the name the model has there', async () => {
    await ana.post('/upstream/api/generate', { ...bodyFor('two.tiny:latest'), options: { seed: 3 } })
    expect(second.requests.at(-1)).toMatchObject({
      headers: { authorization: 'Bearer rt-key' },
      body: { model: 'tiny:latest', prompt: 'x', options: { seed: 3 } },
    })
  })

  it.each<[path: string, wanted: object]>([
    ['/api/chat', { messages: [{ role: 'system', content: 'You are a clerk.' }, { role: 'user' }] }],
    ['/api/generate', { system: 'You are a clerk.', options: { temperature: 0.2, num_predict: 50 } }],
    ['/v1/chat/completions', { messages: [{ role: 'system' }, { role: 'user' }], temperature: 0.2, max_tokens: 5 }],
    ['/v1/responses', { instructions: 'You are a clerk.', temperature: 0.2, max_output_tokens: 50 }],
    ['/api/embed', { input: 'x' }],
  ])('to %s has what a custom model adds to its base', async (path, wanted) => {
    await ana.post(`/upstream${path}`, bodyFor('clerk'))
    expect(second.requests.at(-1)).toMatchObject({ path, body: { ...wanted, model: 'tiny:latest' } })
  })
})

describe('an address spelled oddly', () => {
  const auth = { authorization: `Bearer ${bob.token}` }

  it.each([
    '/upstream/api/tags/../ps',
    '/upstream/api/%2e%2e/api/ps',
    '/upstream//api/ps',
    '/upstream/api//ps',
    '/upstream/../upstream/api/ps',
    '/upstream/api/tags/..%2fps',
    '/upstream/api%2fps',
    '/upstream/api\\ps',
    '/upstream/./api/ps',
    '/upstream/api/ps;x',
    '/UPSTREAM/api/ps',
    '/upstream/%61pi/ps',
    '/upstream/api/ps%00',
    '/upstream/api/ps/',
    '/upstream/http://evil.test/',
    '/upstream/api/blobs/../delete',
    '/upstream/@evil.test',
  ])('is refused: %s', async (path) => {
    const before = received()
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status } = await rawRequest(app.url, { method, path, headers: auth })
      expect([400, 403, 404]).toContain(status)
    }
    expect(received()).toBe(before)
  })

  it.each(['../../api/delete', 'sha256:x', `sha256:${'a'.repeat(63)}`, `sha256:${'a'.repeat(64)}?x`, '%2e%2e', '..'])(
    'names no blob: %s',
    async (digest) => {
      const before = received()
      const path = `/upstream/api/blobs/${digest.replace('?', '%3F')}`
      const headers = { authorization: `Bearer ${owner.token}` }
      expect((await rawRequest(app.url, { path, headers })).status).toBe(404)
      expect(received()).toBe(before)
    },
  )
})
