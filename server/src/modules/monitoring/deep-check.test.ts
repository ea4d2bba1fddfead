import { describe, expect, it } from 'vitest'
import { expectErrorBody } from '#test/access/leaks.ts'
import { testApp } from '#test/harness/app.ts'
import { gate, startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'], key: 'sk-peer' })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url, COMPAT_API_KEY: 'sk-peer' } })
const path = '/api/v1/monitoring/deep-check'

describe('the deep check', () => {
  it('asks the model a real question and tells how long it took', async () => {
    const ana = await app.user()
    provider.script({ text: 'OK' })
    const reply = await ana.post(path, { model: 'swift' })
    expect(reply).toMatchObject({ status: 200, body: { status: true, model: 'swift', reply: 'OK' } })
    expect(reply.body.latency_ms).toBeGreaterThanOrEqual(reply.body.first_byte_ms)
    expect(provider.calls().at(-1)?.body).toMatchObject({ model: 'swift', stream: true })
  })

  it('is let in by an API key, as monitors have one', async () => {
    const ana = await app.user()
    const { key } = (await ana.post('/api/v1/api-keys', { name: 'monitor', allowed_routes: [path] })).body
    expect(await app.anonymous.post(path, { model: 'swift' }, { authorization: `Bearer ${key}` })).toMatchObject({
      status: 200,
    })
  })

  it.each([
    ['refuses', { fail: { status: 500 } }, 502],
    ['breaks off within its reply', { chunks: ['O', 'K'], errorAfter: 1 }, 502],
    ['cuts the line', { chunks: ['O', 'K'], cutsAfter: 1 }, 502],
  ])('fails with a status that a monitor sees when the model %s', async (_name, behaviour, status) => {
    const ana = await app.user()
    provider.script(behaviour)
    const reply = await ana.post(path, { model: 'swift' })
    expect(reply).toMatchObject({ status, body: { status: false, model: 'swift', code: 'provider_failed' } })
    expect(reply.body).toMatchObject({ error: reply.body.detail, latency_ms: expect.any(Number) })
    expect(reply.body.reply).toBeUndefined()
  })

  it("keeps the caller's own mistakes apart from outages", async () => {
    const ana = await app.user()
    const unknown = await ana.post(path, { model: 'nothing' })
    expect(unknown.status).toBe(404)
    expectErrorBody(unknown.text, 'model_not_found')
    expect((await app.anonymous.post(path, { model: 'swift' })).status).toBe(401)
    expect((await ana.post(path, { model: 'swift', prompt: 'x' })).status).toBe(422)
  })

  it('lets go of the model when the monitor hangs up', async () => {
    const ana = await app.user()
    const hold = gate()
    const calls = provider.calls().length
    provider.script({ chunks: ['O', 'K'], gate: hold })
    const leaving = new AbortController()
    const asked = fetch(app.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ana.token}` },
      body: JSON.stringify({ model: 'swift' }),
      signal: leaving.signal,
    })
    const call = await provider.call(calls + 1)
    hold.open()
    leaving.abort()
    await expect(asked).rejects.toThrow()
    expect(await call.ended).toBe(false)
  })
})
