/** Replies as they come, and backends that fail before, at and after the first byte (A53). */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { gate, startModelRuntime } from '#test/peers/model-runtime.ts'

const [first, second] = [
  await startModelRuntime({ models: ['both', 'one'] }),
  await startModelRuntime({ models: ['both'] }),
]
const dead = await startModelRuntime({ models: ['orphan', 'both'] })
afterAll(() => Promise.all([first.close(), second.close()]))
const app = await testApp({ env: { UPSTREAM_BASE_URLS: [dead, first, second].map(({ url }) => url).join(';') } })
const ana = await app.user()
// Its list has been read; from now on nobody answers there.
await ana.get('/upstream/api/tags')
await dead.close()

/** A moment passes, so that no connection rests because of the test before. */
beforeEach(() => app.clock.forward({ minutes: 5 }))

const chat = (model: string, more: object = {}) =>
  ana.post('/upstream/api/chat', {
    model,
    messages: [{ role: 'user', content: 'Hello there' }],
    stream: false,
    ...more,
  })

const used = async (model: string) => {
  const { body } = await ana.get(`/api/v1/usage?by=model&model=${model}`)
  const { requests, failures, prompt_tokens, completion_tokens } = body.total
  return { requests, failures, tokens: [prompt_tokens, completion_tokens] }
}

describe('the bytes of a reply', () => {
  const odd = Buffer.concat([
    Buffer.from('{"response":"\u00e4'),
    Buffer.from([0xff, 0xc3]),
    Buffer.from('"}\r\n\n{"done":'),
  ])

  it.each([undefined, 1, 3])('come through untouched, also where they are no text (cut at %s)', async (splitsAt) => {
    first.script({ bytes: odd, contentType: 'application/x-ndjson; odd=1', ...(splitsAt && { splitsAt }) })
    const reply = await fetch(`${app.url}/upstream/api/generate`, {
      method: 'POST',
      headers: { ...bearer(ana.token), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'one', prompt: 'x' }),
    })
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(odd)
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson; odd=1')
    expect(reply.headers.get('content-encoding')).toBeNull()
  })

  it('may be ten megabytes in one line', async () => {
    first.script({ text: 'x'.repeat(10_000_000) })
    const { body } = await chat('one')
    expect(body.message.content).toHaveLength(10_000_000)
  })
})

describe('a backend that is dead before the first byte', () => {
  it('leaves the call to the next', async () => {
    expect(await chat('both')).toMatchObject({ status: 200, body: { message: { content: 'Hello there' } } })
  })

  it.each([500, 503, 429])('or answers %i, likewise', async (status) => {
    // One that is well is asked before one that failed last time.
    await chat('one')
    first.script({ fail: { status } })
    const before = second.calls().length
    expect(await chat('both')).toMatchObject({ status: 200 })
    expect(second.calls().length).toBe(before + 1)
  })

  it('is reported as 502 where there is no other', async () => {
    expect(await chat('orphan')).toMatchObject({
      status: 502,
      body: { code: 'provider_failed', error: expect.any(String) },
    })
  })
})

describe('a refusal of the backend', () => {
  it.each([
    [400, 400, 'provider_refused'],
    [404, 404, 'provider_refused'],
    [422, 422, 'provider_refused'],
    [429, 429, 'provider_busy'],
    [500, 500, 'provider_failed'],
    [503, 503, 'provider_failed'],
  ])('%i keeps its status and its words', async (status, ours, code) => {
    first.script({ fail: { status, body: { error: 'the model is asleep' } } })
    const { status: got, body } = await chat('one')
    expect(got).toBe(ours)
    expect(body).toMatchObject({ detail: 'the model is asleep', error: 'the model is asleep', code })
    expect(body.request_id).toBeTruthy()
  })

  it.each([401, 403])('%i is about our key, not about the caller: 502', async (status) => {
    first.script({ fail: { status, body: { error: 'invalid key rt-secret' } } })
    const { status: got, text } = await chat('one')
    expect(got).toBe(502)
    expect(text).not.toContain('rt-secret')
  })

  it('tells when to come back', async () => {
    first.script({ fail: { status: 429, headers: { 'retry-after': '7' } } })
    expect((await chat('one')).headers.get('retry-after')).toBe('7')
  })

  it('as a page becomes a sentence of ours', async () => {
    first.script({ fail: { status: 500, body: '<html><script>alert(1)</script></html>' } })
    const { text, body } = await chat('one')
    expect(text).not.toContain('script')
    expect(body.detail).toBe("Couldn't reach the model, or it failed. Try again.")
  })
})

describe('after the first byte', () => {
  it('a cut line is a cut line', async () => {
    first.script({ chunks: ['Hel', 'lo'], cutsAfter: 1 })
    await expect(chat('one', { stream: true })).rejects.toThrow()
  })

  it("the runtime's own error line comes through", async () => {
    first.script({ chunks: ['Hel', 'lo'], errorAfter: 1 })
    const { text } = await chat('one', { stream: true })
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ message: { content: 'Hel' } }, { error: 'the model runner has unexpectedly stopped' }])
  })

  it('a caller who leaves frees the runtime', async () => {
    const hold = gate()
    first.script({ chunks: ['Hel', 'lo'], gate: hold })
    const asked = first.calls().length + 1
    const leaving = new AbortController()
    const reply = await fetch(`${app.url}/upstream/api/chat`, {
      method: 'POST',
      headers: { ...bearer(ana.token), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'one', messages: [] }),
      signal: leaving.signal,
    })
    expect(reply.status).toBe(200)
    const call = await first.call(asked)
    leaving.abort()
    expect(await call.ended).toBe(false)
  })

  it('and before it: a caller who leaves while the runtime says nothing frees it too', async () => {
    first.script({ hangs: true })
    const asked = first.calls().length + 1
    const leaving = new AbortController()
    const reply = fetch(`${app.url}/upstream/api/chat`, {
      method: 'POST',
      headers: { ...bearer(ana.token), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'one', messages: [] }),
      signal: leaving.signal,
    })
    const call = await first.call(asked)
    leaving.abort()
    await expect(reply).rejects.toThrow()
    expect(await call.ended).toBe(false)
  })
})

describe('what is used', () => {
  it('is counted from the last line, the usage object or the embedding', async () => {
    const before = await used('one')
    const usage = { prompt: 21, completion: 4 }
    for (const stream of [true, false]) {
      first.script({ usage }, { usage }, { usage })
      await chat('one', { stream })
      await ana.post('/upstream/api/generate', { model: 'one', prompt: 'x', stream })
      await ana.post('/upstream/v1/responses', { model: 'one', input: 'x', stream })
    }
    first.script({ usage: { prompt: 5, completion: 0 } })
    await ana.post('/upstream/api/embed', { model: 'one', input: ['x'] })
    const after = await used('one')
    expect(after.requests - before.requests).toBe(7)
    expect(after.tokens.map((count, at) => count - (before.tokens[at] ?? 0))).toEqual([6 * 21 + 5, 6 * 4])
    expect(after.failures).toBe(before.failures)
  })

  it('is a failure where the backend refused or broke down; looking at a model is nothing', async () => {
    const before = await used('one')
    first.script({ fail: { status: 400 } }, { chunks: ['a', 'b'], errorAfter: 1 })
    await chat('one')
    await chat('one', { stream: true })
    await ana.post('/upstream/api/show', { model: 'one' })
    const after = await used('one')
    expect([after.requests - before.requests, after.failures - before.failures]).toEqual([2, 2])
  })

  it('has its limits here too', async () => {
    const [owner, bob] = [await app.platformOwner(), await app.user()]
    const limit = { subject_type: 'user', subject_id: bob.id, requests_per_minute: 1 }
    expect((await owner.post('/api/v1/usage/limits', limit)).status).toBe(201)
    const ask = () => bob.post('/upstream/api/generate', { model: 'one', prompt: 'x', stream: false })
    expect((await ask()).status).toBe(200)
    const asked = first.calls().length
    expect(await ask()).toMatchObject({ status: 429, body: { code: 'usage_limit_reached' } })
    expect(first.calls().length).toBe(asked)
  })
})

describe('without any runtime', () => {
  it('says so, and a model that is code has none either', async () => {
    const bare = await sharedApp()
    const bob = await bare.user()
    for (const path of ['/api/tags', '/v1/models', '/api/version', '/'])
      expect(await bob.get(`/upstream${path}`)).toMatchObject({ status: 503, body: { code: 'no_runtime' } })
    expect(await bob.post('/upstream/api/chat', { model: 'guide', messages: [] })).toMatchObject({
      status: 503,
      body: { code: 'no_runtime', error: 'No local model runtime is connected.' },
    })
  })
})
