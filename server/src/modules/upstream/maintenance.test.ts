/** Changing a runtime is for platform admins only. */
import { createHash } from 'node:crypto'
import { Ollama } from 'ollama'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { startModelRuntime } from '#test/peers/model-runtime.ts'

const [first, second] = [
  await startModelRuntime({ models: ['tiny:latest'] }),
  await startModelRuntime({ models: ['wide:latest'] }),
]
afterAll(() => Promise.all([first.close(), second.close()]))
const app = await testApp({ env: { UPSTREAM_BASE_URL: first.url } })
const owner = await app.platformOwner()
const connection = { type: 'upstream', name: 'Second', url: second.url, prefix_id: 'two' }
const { id: connectionId } = (await owner.post('/api/v1/connections', connection)).body
const ollama = new Ollama({ host: `${app.url}/upstream`, headers: bearer(owner.token) })
const digest = `sha256:${createHash('sha256').update('blob').digest('hex')}`

const changes = [
  ...(['pull', 'push', 'create', 'unload'] as const).map(
    (name) => ['POST', `/api/${name}`, { model: 'tiny:latest' }] as const,
  ),
  ...([0, '0', '0s', '0.0ms'] as const).map(
    (keep_alive) => ['POST', '/api/generate', { model: 'tiny:latest', keep_alive }] as const,
  ),
  ['POST', '/api/chat', { model: 'tiny:latest', messages: [], keep_alive: 0 }] as const,
  ['POST', '/api/copy', { source: 'tiny:latest', destination: 'copy' }] as const,
  ['DELETE', '/api/delete', { model: 'tiny:latest' }] as const,
  ['GET', '/api/ps', undefined] as const,
  ['GET', `/api/blobs/${digest}`, undefined] as const,
  ['HEAD', `/api/blobs/${digest}`, undefined] as const,
  ['POST', `/api/blobs/${digest}`, {}] as const,
]

describe('somebody who is not the platform admin', () => {
  it.each(changes)('may not %s %s, and the runtime hears nothing', async (method, path, body) => {
    const people = [await app.user(), await app.user({ org: 'maintenance' })]
    const before = first.requests.filter(({ path: asked }) => asked === path).length
    for (const person of people) {
      const reply = await person.send(method, `/upstream${path}`, {
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
      expect(reply.status).toBe(403)
    }
    expect(first.requests.filter(({ path: asked }) => asked === path).length).toBe(before)
  })
})

describe('the platform admin', () => {
  it('pulls with progress, copies, unloads and deletes', async () => {
    const progress: string[] = []
    for await (const { status } of await ollama.pull({ model: 'new:latest', stream: true })) progress.push(status)
    expect(progress).toEqual(['pulling manifest', 'success'])
    await ollama.copy({ source: 'tiny:latest', destination: 'again:latest' })
    expect(first.models).toEqual(['tiny:latest', 'new:latest', 'again:latest'])
    await owner.post('/upstream/api/unload', { model: 'tiny:latest' })
    expect(first.requests.at(-1)).toMatchObject({
      path: '/api/generate',
      body: { model: 'tiny:latest', keep_alive: 0 },
    })
    await ollama.delete({ model: 'tiny:latest' })
    expect(first.models).toEqual(['new:latest', 'again:latest'])
  })

  it("unloads by the runtime's own idiom too; how long others keep a model is not heard", async () => {
    await owner.post('/upstream/api/generate', { model: 'two.wide:latest', keep_alive: 0 })
    expect(second.requests.at(-1)?.body).toEqual({ model: 'wide:latest', keep_alive: 0 })
    const ana = await app.user()
    const asked = { model: 'two.wide:latest', prompt: 'Hi', keep_alive: 0, stream: false }
    expect((await ana.post('/upstream/api/generate', asked)).status).toBe(200)
    expect(second.requests.at(-1)?.body).toEqual({ model: 'wide:latest', prompt: 'Hi', stream: false })
  })

  it('reaches the runtime that serves a model by its prefixed name, and any runtime by its id', async () => {
    await ollama.copy({ source: 'two.wide:latest', destination: 'wider:latest' })
    await owner.post(`/upstream/api/pull?connection_id=${connectionId}`, { model: 'more:latest' })
    expect(second.models).toEqual(['wide:latest', 'wider:latest', 'more:latest'])
    expect(await owner.post(`/upstream/api/pull?connection_id=${app.unknownId()}`, { model: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'connection_not_found' },
    })
  })

  it('sees what runs at all of them', async () => {
    const { models } = await ollama.ps()
    expect(models.map(({ name }) => name)).toContain('wide:latest')
    expect(models.length).toBe(2)
  })

  it('asks for a blob and puts one there, as a stream of bytes', async () => {
    expect((await owner.send('HEAD', `/upstream/api/blobs/${digest}`)).status).toBe(404)
    const bytes = Buffer.alloc(3_000_000, 7)
    const sent = await owner.send('POST', `/upstream/api/blobs/${digest}`, {
      body: bytes,
      headers: { 'content-type': 'application/octet-stream' },
    })
    expect(sent.status).toBe(201)
    expect(first.blobs.get(digest)).toEqual(bytes)
    expect((await owner.send('HEAD', `/upstream/api/blobs/${digest}`)).status).toBe(200)
  })

  it("gets the runtime's own error when a call fails", async () => {
    const reply = await owner.send('DELETE', `/upstream/api/delete?connection_id=${connectionId}`, {
      body: JSON.stringify({ model: 'gone' }),
      headers: { 'content-type': 'application/json' },
    })
    expect(reply).toMatchObject({ status: 404, body: { detail: "model 'gone' not found" } })
  })
})
