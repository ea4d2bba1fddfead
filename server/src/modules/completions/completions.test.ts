/** POST /api/chat/completions for callers without a chat, driven by the official SDK. */
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn, openaiOf } from '#test/harness/chat.ts'
import { gate, startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'], key: 'sk-peer' })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url, COMPAT_API_KEY: 'sk-peer' } })
const ana = await app.user({ name: 'Ana' })
const openai = openaiOf(app, ana)
const messages = [{ role: 'user' as const, content: 'Say it.' }]

const lastSent = () => provider.calls().at(-1)?.body
const gather = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const gathered: Item[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}
const spoken = async (stream: AsyncIterable<OpenAI.ChatCompletionChunk>): Promise<string> => {
  let text = ''
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
  return text
}

describe('a completion with the official SDK', () => {
  it.each(['/api', '/api/v1'])('comes whole under %s', async (prefix) => {
    provider.script({ chunks: ['Hel', 'lo'] })
    const completion = await openaiOf(app, ana, prefix).chat.completions.create({ model: 'swift', messages })
    expect(completion).toMatchObject({ model: 'swift', choices: [{ message: { content: 'Hello' } }] })
    expect(completion.usage?.total_tokens).toBe(12)
  })

  it.each(['/api', '/api/v1'])('knows its models, one by one, under %s', async (prefix) => {
    const { models } = openaiOf(app, ana, prefix)
    const listed = await gather(models.list())
    expect(listed.map(({ id }) => id)).toEqual(['swift', 'guide'])
    expect(await models.retrieve('swift')).toEqual(listed[0])
    await expect(models.retrieve('no/such')).rejects.toMatchObject({ status: 404 })
  })

  it('streams, with usage only when asked', async () => {
    provider.script({ chunks: ['Hel', 'lo'] }, { chunks: ['Hel', 'lo'] })
    const plain = await openai.chat.completions.create({ model: 'swift', messages, stream: true })
    const chunks = await gather(plain)
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello')
    expect(chunks.filter((chunk) => chunk.usage)).toEqual([])
    const stream_options = { include_usage: true }
    const counted = await openai.chat.completions.create({ model: 'swift', messages, stream: true, stream_options })
    expect((await gather(counted)).at(-1)?.usage?.total_tokens).toBe(12)
  })

  it('hands tools of the caller on untouched, and gives their calls back', async () => {
    const tools = [{ type: 'function' as const, function: { name: 'look', parameters: { type: 'object' } } }]
    provider.script({ toolCalls: [{ name: 'look', arguments: { at: 'door' } }] })
    const unknownToSdk = { tool_ids: ['nobody:has-it'] }
    const completion = await openai.chat.completions.create({ model: 'swift', messages, tools, ...unknownToSdk })
    expect(lastSent().tools).toEqual(tools)
    expect(completion.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'look' } })
  })

  it('hands even an empty list of tools on, and resolves no tool_ids beside it', async () => {
    const reply = await ana.post('/api/chat/completions', { model: 'swift', messages, tools: [], tool_ids: ['x:y'] })
    expect(reply.status).toBe(200)
    expect(lastSent().tools).toEqual([])
  })

  it('is cancelled at the provider when its only reader leaves, streamed or not', async () => {
    for (const stream of [true, false]) {
      const leaving = new AbortController()
      const held = gate()
      held.open(stream ? 1 : 0)
      provider.script({ chunks: ['one', 'two', 'three'], gate: held })
      const count = provider.calls().length
      const reading = openai.chat.completions
        .create({ model: 'swift', messages, stream }, { signal: leaving.signal })
        .then((reply) => (stream ? spoken(reply as never) : undefined))
        .catch(() => 'left')
      const call = await provider.call(count + 1)
      leaving.abort()
      await reading
      expect(await call.ended).toBe(false)
    }
  })
})

describe('what a provider receives', () => {
  it('holds no field of ours, and nothing that could lead it elsewhere (A26)', async () => {
    const ours = {
      session_id: 'x',
      background_tasks: { title_generation: true },
      features: { web_search: false },
      filter_ids: [],
      variables: { '{{USER_NAME}}': 'Ana' },
      id: 'y',
      files: [],
      tool_ids: [],
      api_base: 'http://evil.test',
      base_url: 'http://evil.test',
      api_key: 'sk-evil',
      url: 'http://evil.test',
    }
    const theirs = { temperature: 0.5, seed: 7, response_format: { type: 'text' }, some_new_field: [1] }
    const headers = { cookie: 'token=secret', 'x-forwarded-host': 'evil.test' }
    const reply = await ana.post('/api/chat/completions', { model: 'swift', messages, ...ours, ...theirs }, headers)
    expect(reply.status).toBe(200)
    const call = provider.calls().at(-1)
    expect(Object.keys(call?.body).sort()).toEqual(['messages', 'model', ...Object.keys(theirs)].sort())
    expect(JSON.stringify(call?.headers)).not.toContain(ana.token)
    expect(JSON.stringify(call?.headers)).not.toContain('token=secret')
  })

  it('has the variables that the caller sent filled in, as plain text (A39)', async () => {
    const name = 'Ana\r\n\r\ndata: {"error":1}\n\n{{USER_LANGUAGE}}'
    const variables = { '{{USER_NAME}}': name, '{{USER_LANGUAGE}}': 'pt' }
    const asked = [{ role: 'user' as const, content: 'I am {{USER_NAME}}, {{OTHER}}' }]
    const body = { model: 'swift', messages: asked, variables, stream: true }
    const reply = await ana.post('/api/chat/completions', body)
    expect(lastSent().messages).toEqual([{ role: 'user', content: `I am ${name}, {{OTHER}}` }])
    const frames = framesIn(reply.text)
    expect(frames.filter((frame) => frame.error)).toEqual([])
    expect(frames.map((frame) => frame.choices?.[0]?.delta?.content ?? '').join('')).toBe(`I am ${name}, {{OTHER}}`)
  })

  it('gets the defaults of a custom model: its prompt first, its parameters under the request’s', async () => {
    const owner = await app.platformOwner()
    const made = await owner.post('/api/v1/models/create', {
      id: 'clerk',
      name: 'Clerk',
      base_model_id: 'swift',
      access_grants: null,
      params: { system: 'You serve {{USER_NAME}}.', temperature: 0.2, top_p: 0.5 },
    })
    expect(made.status).toBeLessThan(300)
    const asked = [{ role: 'system', content: 'Be brief.' }, ...messages]
    const reply = await ana.post('/api/chat/completions', { model: 'clerk', messages: asked, temperature: 1 })
    expect(reply).toMatchObject({ status: 200, body: { model: 'clerk' } })
    expect(lastSent()).toMatchObject({ model: 'swift', temperature: 1, top_p: 0.5 })
    expect(lastSent().messages).toEqual([{ role: 'system', content: 'You serve Ana.\n\nBe brief.' }, ...messages])
    expect(lastSent().system).toBeUndefined()
  })

  it('is streamed only if the caller says so, whatever a custom model says', async () => {
    const made = await ana.post('/api/v1/models/create', {
      id: 'hasty',
      name: 'Hasty',
      base_model_id: 'swift',
      params: { stream: true, stream_options: { include_usage: true } },
    })
    expect(made.status).toBe(201)
    for (const features of [{}, { memory: true }]) {
      const reply = await ana.post('/api/chat/completions', { model: 'hasty', messages, features })
      expect(reply).toMatchObject({ status: 200, body: { choices: [{ message: { content: 'Say it.' } }] } })
      expect(lastSent().stream).toBeUndefined()
    }
  })
})

describe('what goes wrong', () => {
  it('is an unknown model: 404 in both shapes', async () => {
    const reply = await ana.post('/api/chat/completions', { model: 'nobody', messages })
    expect(reply).toMatchObject({
      status: 404,
      body: { code: 'model_not_found', error: { code: 'model_not_found', type: 'invalid_request_error', param: null } },
    })
    await expect(openai.chat.completions.create({ model: 'nobody', messages })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    )
  })

  it('is a field of the wrong kind, named for the SDK too', async () => {
    const reply = await ana.post('/api/chat/completions', { model: 'swift', messages, temperature: 'hot' })
    expect(reply).toMatchObject({ status: 422, body: { error: { param: 'temperature' } } })
  })

  it('is the provider’s key: never a 401, which would sign the caller out', async () => {
    provider.script({ fail: { status: 401, body: { error: { message: 'bad key sk-peer' } } } })
    const reply = await ana.post('/api/chat/completions', { model: 'swift', messages })
    expect(reply).toMatchObject({ status: 502, body: { code: 'provider_failed', error: { type: 'server_error' } } })
    expect(reply.text).not.toContain('sk-peer')
  })

  it('is sent within a stream that has begun, and the SDK throws it', async () => {
    provider.script({ chunks: ['Hel', 'lo'], errorAfter: 1 })
    const stream = await openai.chat.completions.create({ model: 'swift', messages, stream: true })
    await expect(spoken(stream)).rejects.toBeInstanceOf(OpenAI.APIError)
  })

  it('is a file that the caller does not have', async () => {
    const files = [{ type: 'file', id: 'f' }]
    const reply = await ana.post('/api/chat/completions', { model: 'swift', messages, files })
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('is the credential: 401 in both shapes', async () => {
    const stranger = openaiOf(app, { token: 'sk-nobody' })
    await expect(stranger.chat.completions.create({ model: 'swift', messages })).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    )
  })
})
