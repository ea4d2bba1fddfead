/** Calls below the HTTP door, against a provider that behaves well, badly and very badly. */
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { streamOf } from '#kernel/bytes/byte-flow.ts'
import { AppError } from '#kernel/errors.ts'
import { framesOf, somebody, testModels, textOf } from '#test/harness/models.ts'
import { gate, invalidUtf8, startModelProvider } from '#test/peers/model-provider.ts'

const key = 'sk-peer-0123456789'
const provider = await startModelProvider({ models: ['swift'], key })
const env = { COMPAT_API_BASE_URL: provider.url, COMPAT_API_KEY: key }
const { models, ask, uses, clock, meter } = await testModels(env)
const impatient = await testModels(env, { config: { HTTP_CLIENT_TIMEOUT: 0.5 } })
afterAll(() => provider.close())

beforeEach(() => {
  uses.length = 0
  provider.usually({})
})

const lastRequest = () => provider.calls().at(-1)

describe('a reply in one piece', () => {
  it('is a completion under the name the caller used, and counted', async () => {
    provider.script({ text: 'Hello.', usage: { prompt: 7, completion: 2 } })
    const answer = await ask('swift')
    expect(answer).toMatchObject({
      kind: 'whole',
      completion: { object: 'chat.completion', model: 'swift', choices: [{ message: { content: 'Hello.' } }] },
    })
    expect(uses).toEqual([{ model: 'swift', promptTokens: 7, completionTokens: 2, failed: false }])
  })

  it('is counted by a quarter of its characters where the provider tells no usage', async () => {
    provider.script({ text: 'x'.repeat(40), usage: null })
    await ask('swift')
    expect(uses).toEqual([{ model: 'swift', promptTokens: 4, completionTokens: 10, failed: false }])
  })

  it('that is stopped before it comes is not a failed request', async () => {
    const hold = gate()
    provider.script({ text: 'never', gate: hold })
    const caller = new AbortController()
    const before = provider.calls().length
    const answer = ask('swift', {}, caller.signal)
    await provider.call(before + 1)
    caller.abort(new AppError('reply_interrupted'))
    await expect(answer).rejects.toThrow()
    expect(uses).toEqual([{ model: 'swift', promptTokens: 4, completionTokens: 1000, failed: false }])
    hold.open()
  })

  it.each([
    [400, 'provider_refused', 400],
    [404, 'provider_refused', 404],
    [413, 'provider_refused', 400],
    [422, 'provider_refused', 422],
    [429, 'provider_busy', 429],
    [401, 'provider_failed', 502],
    [403, 'provider_refused', 400],
    [500, 'provider_failed', 502],
    [503, 'provider_failed', 502],
    [504, 'provider_timeout', 504],
  ])('that is %i becomes %s, and is counted as failed', async (status, code, ours) => {
    clock.forward({ minutes: 5 })
    provider.script({ fail: { status } })
    await expect(ask('swift')).rejects.toMatchObject({ code, status: ours })
    expect(uses).toEqual([{ model: 'swift', promptTokens: 0, completionTokens: 0, failed: true }])
    await ask('swift')
  })

  it('passes on what the provider has to say to the caller, without keys and control characters', async () => {
    const message = `max_tokens is too large\u0007 (you sent ${key})`
    provider.script({ fail: { status: 400, body: { error: { message } } } })
    await expect(ask('swift')).rejects.toMatchObject({ message: expect.stringContaining('max_tokens is too large') })
    provider.script({ fail: { status: 400, body: { error: { message } } } })
    await expect(ask('swift')).rejects.toMatchObject({ message: expect.not.stringContaining('0123456789') })
  })

  it('tells how long to wait when the provider is busy', async () => {
    provider.script({ fail: { status: 429, headers: { 'retry-after': '7' } } })
    await expect(ask('swift')).rejects.toMatchObject({ code: 'provider_busy', retryAfterSec: 7 })
  })

  it.each([
    ['HTML', { bytes: '<html>down for maintenance</html>', contentType: 'text/html' }],
    ['half of its JSON', { bytes: '{"choices":[{"mess' }],
    ['JSON of another kind', { bytes: '[1,2]' }],
    ['an error with status 200', { bytes: '{"error":{"message":"out of memory"}}' }],
  ])('that is %s is a failure of the provider', async (_what, behaviour) => {
    clock.forward({ minutes: 5 })
    provider.script(behaviour)
    await expect(ask('swift')).rejects.toMatchObject({ code: 'provider_failed' })
    await ask('swift')
  })

  it('that never comes is a time-out', async () => {
    provider.script({ hangs: true })
    await expect(impatient.ask('swift')).rejects.toMatchObject({ code: 'provider_timeout', status: 504 })
  })
})

describe('what is sent to the provider', () => {
  it('is the request, the key of the connection and nothing else (A26)', async () => {
    const steering = { api_base: 'http://127.0.0.1:1', base_url: 'http://127.0.0.1:1', url: 'x', api_key: 'mine' }
    await ask('swift', { temperature: 0.5, ...steering, extra_headers: { cookie: 'token=x' } })
    const { headers, body, path } = lastRequest() ?? {}
    expect(path).toBe('/v1/chat/completions')
    expect(Object.keys(headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
    ])
    expect(headers?.authorization).toBe(`Bearer ${key}`)
    expect(body).toEqual({ model: 'swift', messages: [{ role: 'user', content: 'one two three' }], temperature: 0.5 })
  })
})

describe('a reply in a stream', () => {
  const stream = { stream: true }

  it('comes as the provider sent it, without the usage frame nobody asked for, and is counted by it', async () => {
    provider.script({ chunks: ['a', 'b'], usage: { prompt: 9, completion: 4 } })
    const text = await textOf(await ask('swift', stream))
    expect(lastRequest()?.body).toMatchObject({ stream_options: { include_usage: true } })
    expect(text).not.toContain('usage')
    expect(text.endsWith('"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')).toBe(true)
    expect(uses).toEqual([{ model: 'swift', promptTokens: 9, completionTokens: 4, failed: false }])
  })

  it('keeps the usage frame for who asked for it', async () => {
    provider.script({ chunks: ['a'], usage: { prompt: 9, completion: 4 } })
    const frames = await framesOf(await ask('swift', { ...stream, stream_options: { include_usage: true } }))
    expect(frames.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 9 } })
  })

  it.each([1, 2, 3, 7, 50])('is the same in pieces of %i bytes, through the middle of characters', async (splitsAt) => {
    const behaviour = { chunks: ['Grüße ', '🌍', ' "usage": {'], usage: { prompt: 3, completion: 5 } }
    provider.script(behaviour, { ...behaviour, splitsAt })
    const whole = await textOf(await ask('swift', stream))
    expect(await textOf(await ask('swift', stream))).toBe(whole)
    expect(whole).toContain('🌍')
    expect(uses).toEqual(Array(2).fill({ model: 'swift', promptTokens: 3, completionTokens: 5, failed: false }))
  })

  it('is asked for once more without stream_options where the provider refuses them, and then always so', async () => {
    const picky = await startModelProvider({ models: ['picky'] })
    picky.usually({ refusesStreamOptions: true, chunks: ['x'.repeat(8)] })
    const other = await testModels({ COMPAT_API_BASE_URL: picky.url })
    await textOf(await other.ask('picky', stream))
    await textOf(await other.ask('picky', stream))
    expect(picky.calls().map(({ body }) => 'stream_options' in body)).toEqual([true, false, false])
    expect(other.uses[0]).toEqual({ model: 'picky', promptTokens: 4, completionTokens: 2, failed: false })
    await picky.close()
  })

  it('gives the refusal of the caller’s own mistake, and does not blame the options for it', async () => {
    provider.script({ fail: { status: 400, body: { error: { message: 'unknown role' } } } })
    provider.script({ fail: { status: 400, body: { error: { message: 'unknown role' } } } })
    await expect(ask('swift', stream)).rejects.toMatchObject({ code: 'provider_refused', message: 'unknown role' })
    await textOf(await ask('swift', stream))
    expect(lastRequest()?.body).toHaveProperty('stream_options')
  })

  it('is made of a whole reply where the provider does not stream', async () => {
    const completion = {
      id: 'c',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    }
    provider.script({ bytes: JSON.stringify(completion), contentType: 'application/json' })
    const text = await textOf(await ask('swift', stream))
    expect(text).toContain('"delta":{"role":"assistant","content":"Hi"}')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it.each([
    [
      'an error with status 200',
      { bytes: '{"error":{"message":"out of memory"}}', contentType: 'application/json' },
      0,
    ],
    ['an error as its first frame', { bytes: 'data: {"error":{"message":"out of memory"}}\n\n' }, 0],
    ['something else', { bytes: '<html></html>', contentType: 'text/html' }, 1000],
    ['nothing at all', { bytes: '' }, 1000],
  ])(
    'that is %s fails before the first byte, and costs what the provider may have done',
    async (_what, behaviour, completionTokens) => {
      clock.forward({ minutes: 5 })
      provider.script(behaviour)
      await expect(ask('swift', stream)).rejects.toMatchObject({ code: 'provider_failed' })
      expect(uses).toEqual([{ model: 'swift', promptTokens: 4, completionTokens, failed: true }])
      await ask('swift')
    },
  )

  it('that is cut within a frame fails there, with what came before', async () => {
    provider.script({ chunks: ['abcd'.repeat(3), 'lost'], cutsAfter: 1 })
    const answer = await ask('swift', stream)
    await expect(textOf(answer)).rejects.toMatchObject({ code: 'provider_failed' })
    expect(uses).toEqual([{ model: 'swift', promptTokens: 4, completionTokens: 3, failed: true }])
  })

  it('that failed before anybody read it tells so to the reader who comes late', async () => {
    provider.script({ chunks: ['a', 'lost'], cutsAfter: 1 })
    const answer = await ask('swift', stream)
    await vi.waitFor(() => expect(uses).toMatchObject([{ failed: true }]))
    await expect(textOf(answer)).rejects.toMatchObject({ code: 'provider_failed' })
  })

  it('that falls silent fails at its time limit', async () => {
    provider.script({ chunks: ['a', 'b'], hangsAfter: 1 })
    await expect(textOf(await impatient.ask('swift', stream))).rejects.toMatchObject({ code: 'provider_timeout' })
  })

  it('that tells an error on the way passes it on and counts as failed', async () => {
    provider.script({ chunks: ['a', 'b'], errorAfter: 1 })
    const text = await textOf(await ask('swift', stream))
    expect(text).toContain('"error"')
    expect(uses).toMatchObject([{ failed: true }])
  })

  it('with a line of ten megabytes flows through without being gathered', async () => {
    provider.script({ chunks: ['x'.repeat(10_000_000)] })
    expect((await textOf(await ask('swift', stream))).length).toBeGreaterThan(10_000_000)
    expect(uses).toMatchObject([{ completionTokens: 1, failed: false }])
  })

  it('with broken UTF-8 flows through byte by byte', async () => {
    const bytes = invalidUtf8('data: {"choices":[{"delta":{"content":"a~b"}}]}\n\ndata: [DONE]\n\n', '~')
    provider.script({ bytes })
    const answer = await ask('swift', stream)
    const pieces: Buffer[] = []
    if (answer.kind === 'stream') for await (const piece of streamOf(answer.flow)) pieces.push(piece as Buffer)
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  })

  it.each([
    ['leaves', undefined],
    ['stops it', new AppError('reply_interrupted')],
  ])('ends at the provider when the caller %s, and is counted by what was said', async (_, reason) => {
    const hold = gate()
    provider.script({ chunks: ['abcdefgh', 'never'], gate: hold })
    const caller = new AbortController()
    const before = provider.calls().length
    const answer = await ask('swift', stream, caller.signal)
    hold.open()
    if (answer.kind !== 'stream') throw new Error('no stream')
    const read = (async () => {
      for await (const piece of streamOf(answer.flow)) if (String(piece).includes('abcdefgh')) caller.abort(reason)
    })()
    await expect(read).rejects.toThrow()
    expect(await (await provider.call(before + 1)).ended).toBe(false)
    expect(uses).toEqual([{ model: 'swift', promptTokens: 4, completionTokens: 2, failed: false }])
  })
})

describe('a model that is code', () => {
  const model = { name: 'Parrot', ownedBy: 'test', description: '' }
  models.registerSource({
    list: () => [
      { id: 'parrot', ...model },
      { id: 'broken', ...model },
    ],
    async *call(id) {
      yield 'Hello, '
      if (id === 'broken') throw new AppError('provider_failed', { detail: 'The parrot flew away.' })
      yield { choices: [{ index: 0, delta: { content: 'you.' }, finish_reason: 'stop' }] }
    },
  })

  it('answers with a completion like any other, and is counted by its characters', async () => {
    expect(await ask('parrot')).toMatchObject({
      kind: 'whole',
      completion: {
        id: expect.stringMatching(/^chatcmpl-/),
        object: 'chat.completion',
        model: 'parrot',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello, you.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 },
      },
    })
    expect(uses).toEqual([{ model: 'parrot', promptTokens: 4, completionTokens: 3, failed: false }])
  })

  it('streams its pieces as frames, ends once and tells usage to who asks', async () => {
    const plain = await textOf(await ask('parrot', { stream: true }))
    expect(plain).not.toContain('usage')
    expect(plain.match(/"finish_reason":"stop"/g)).toHaveLength(1)
    expect(plain.endsWith('data: [DONE]\n\n')).toBe(true)
    const frames = await framesOf(await ask('parrot', { stream: true, stream_options: { include_usage: true } }))
    const deltas = frames.map((frame) => (frame as { choices: { delta: unknown }[] }).choices[0]?.delta)
    expect(deltas).toEqual([{ role: 'assistant', content: '' }, { content: 'Hello, ' }, { content: 'you.' }, undefined])
    expect(uses).toEqual(Array(2).fill({ model: 'parrot', promptTokens: 4, completionTokens: 3, failed: false }))
  })

  it('may fail on the way, as a provider may', async () => {
    await expect(ask('broken')).rejects.toMatchObject({ code: 'provider_failed' })
    await expect(textOf(await ask('broken', { stream: true }))).rejects.toMatchObject({ code: 'provider_failed' })
    expect(uses).toMatchObject([{ failed: true }, { failed: true }])
  })
})

describe('the allowance', () => {
  it('is asked for before anything leaves', async () => {
    const before = provider.calls().length
    meter.reserve = () => Promise.reject(new Error('used up'))
    meter.record = () => expect.unreachable()
    const resolved = await models.resolve(somebody, 'swift')
    const body = { messages: [{ role: 'user', content: 'x' }] }
    await expect(async () => resolved.call({ actor: somebody, body, signal: AbortSignal.abort() })).rejects.toThrow(
      'used up',
    )
    expect(provider.calls().length).toBe(before)
  })
})
