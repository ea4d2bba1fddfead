import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { gate, startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'], key: 'sk-peer' })
const app = await testApp({
  env: { COMPAT_API_BASE_URL: provider.url, COMPAT_API_KEY: 'sk-peer', CUSTOM_API_KEY_HEADER: 'x-house-key' },
})
const ana = await app.user()
const { key } = (await ana.post('/api/v1/api-keys', { name: 'sdk' })).body

const clientWith = (options: object = {}) =>
  new Anthropic({ baseURL: `${app.url}/api`, apiKey: key, authToken: null, maxRetries: 0, ...options })
const client = clientWith()

const hello = { model: 'swift', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello.' }] }
const lastCall = () => provider.calls().at(-1)?.body

const look: Anthropic.Tool = {
  name: 'look',
  description: 'Looks at a place.',
  input_schema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
}

describe('the official SDK, pointed at {base}/api', () => {
  it('gets a message', async () => {
    provider.script({ text: 'Good day.', usage: { prompt: 12, completion: 3 } })
    const message = await client.messages.create({ ...hello, system: 'Be polite.', stop_sequences: ['END'] })
    expect(message).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      role: 'assistant',
      model: 'swift',
      content: [{ type: 'text', text: 'Good day.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 12, output_tokens: 3 },
    })
    expect(message._request_id).toBeTruthy()
    expect(lastCall()).toEqual({
      model: 'swift',
      max_tokens: 100,
      stop: ['END'],
      stream: false,
      messages: [
        { role: 'system', content: 'Be polite.' },
        { role: 'user', content: 'Hello.' },
      ],
    })
  })

  it.each([
    ['x-api-key, though CUSTOM_API_KEY_HEADER names another header', clientWith()],
    ['a Bearer token', clientWith({ apiKey: null, authToken: key })],
    ['the token of a login', clientWith({ apiKey: null, authToken: ana.token })],
  ])('is let in by %s', async (_name, let_in) => {
    expect((await let_in.messages.create(hello)).content).toMatchObject([{ text: 'Hello.' }])
  })

  it('answers at the short address alike, without a version header', async () => {
    const reply = await app.anonymous.post('/api/message', hello, { 'x-api-key': key })
    expect(reply).toMatchObject({ status: 200, body: { type: 'message', content: [{ type: 'text', text: 'Hello.' }] } })
    expect(await app.anonymous.post('/api/message/count_tokens', hello, { 'x-api-key': key })).toMatchObject({
      status: 200,
    })
  })

  it('streams, and its helpers hear every piece', async () => {
    provider.script({ chunks: ['Good ', 'day, ', 'Añá 👋.'], splitsAt: 7, usage: { prompt: 9, completion: 4 } })
    const heard: string[] = []
    const stream = client.messages.stream(hello).on('text', (piece) => heard.push(piece))
    const message = await stream.finalMessage()
    expect(heard.join('')).toBe('Good day, Añá 👋.')
    expect(heard.length).toBeGreaterThan(1)
    expect(message).toMatchObject({
      content: [{ type: 'text', text: 'Good day, Añá 👋.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 9, output_tokens: 4 },
    })
  })

  it('hears a piece before the model has said the next', async () => {
    const hold = gate()
    provider.script({ chunks: ['one', 'two'], gate: hold })
    const stream = client.messages.stream(hello)
    const first = new Promise<string>((resolve) => stream.once('text', resolve))
    hold.open()
    expect(await first).toBe('one')
    hold.openForGood()
    expect(await stream.finalText()).toBe('onetwo')
  })

  it.each([{ isStreamed: false }, { isStreamed: true }])(
    'runs a tool in two steps ($isStreamed)',
    async ({ isStreamed }) => {
      const ask = (body: Anthropic.MessageCreateParamsNonStreaming) =>
        isStreamed ? client.messages.stream(body).finalMessage() : client.messages.create(body)
      provider.script(
        {
          chunks: ['Let me see.'],
          toolCalls: [
            { id: 'c1', name: 'look', arguments: { at: 'Rome' } },
            { id: 'c2', name: 'look', arguments: { at: 'Oslo' } },
          ],
        },
        { text: 'Rome is warm, Oslo is not.' },
      )
      const asked = { ...hello, tools: [look], tool_choice: { type: 'any' as const, disable_parallel_tool_use: true } }
      const first = await ask(asked)
      expect(first).toMatchObject({
        stop_reason: 'tool_use',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'Rome' } },
          { type: 'tool_use', id: 'c2', name: 'look', input: { at: 'Oslo' } },
        ],
      })
      expect(lastCall()).toMatchObject({
        tools: [{ type: 'function', function: { name: 'look', parameters: look.input_schema } }],
        tool_choice: 'required',
        parallel_tool_calls: false,
      })
      const results = first.content
        .filter((block) => block.type === 'tool_use')
        .map((block) => ({ type: 'tool_result' as const, tool_use_id: block.id, content: `${block.id} seen` }))
      const messages = [
        ...hello.messages,
        { role: 'assistant' as const, content: first.content },
        { role: 'user' as const, content: results },
      ]
      const second = await ask({ ...hello, messages, tools: [look] })
      expect(second.content).toMatchObject([{ type: 'text', text: 'Rome is warm, Oslo is not.' }])
      expect(lastCall().messages.slice(1)).toEqual([
        {
          role: 'assistant',
          content: 'Let me see.',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"Rome"}' } },
            { id: 'c2', type: 'function', function: { name: 'look', arguments: '{"at":"Oslo"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'c1 seen' },
        { role: 'tool', tool_call_id: 'c2', content: 'c2 seen' },
      ])
    },
  )

  it('sends images', async () => {
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'iVBORw0KGgo=' },
    }
    await client.messages.create({
      ...hello,
      messages: [{ role: 'user', content: [image, { type: 'text', text: 'What?' }] }],
    })
    expect(lastCall().messages[0].content[0]).toEqual({
      type: 'image_url',
      image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' },
    })
  })

  it('hears thinking apart from text, whole and streamed, and gives it back', async () => {
    const thoughtful = { reasoning: ['Hm, ', 'yes.'], text: 'Yes.' }
    provider.script(thoughtful, thoughtful, {})
    const whole = await client.messages.create({ ...hello, thinking: { type: 'enabled', budget_tokens: 1024 } })
    expect(lastCall().reasoning_effort).toBe('low')
    const thought: string[] = []
    const stream = client.messages.stream(hello).on('thinking', (piece) => thought.push(piece))
    const { content } = await stream.finalMessage()
    expect(thought.join('')).toBe('Hm, yes.')
    expect(content).toEqual(whole.content)
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'Hm, yes.' },
      { type: 'text', text: 'Yes.' },
    ])

    await client.messages.create({
      ...hello,
      messages: [...hello.messages, { role: 'assistant', content }, ...hello.messages],
    })
    expect(lastCall().messages[1]).toEqual({ role: 'assistant', content: 'Yes.', reasoning_content: 'Hm, yes.' })
  })

  it('learns why a reply was cut', async () => {
    provider.script({ text: 'and so', finishReason: 'length' })
    expect(await client.messages.create(hello)).toMatchObject({ stop_reason: 'max_tokens' })
  })

  it('counts tokens', async () => {
    const { input_tokens: few } = await client.messages.countTokens(hello)
    const { input_tokens: more } = await client.messages.countTokens({ ...hello, tools: [look], system: 'Be polite.' })
    expect(few).toBeGreaterThan(0)
    expect(more).toBeGreaterThan(few)
  })

  it('hangs up on the model when it is aborted', async () => {
    const hold = gate()
    provider.script({ chunks: ['one', 'two'], gate: hold })
    const calls = provider.calls().length
    const stream = client.messages.stream(hello)
    const failed = expect(stream.done()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError)
    stream.once('text', () => stream.abort())
    hold.open()
    await failed
    expect(await (await provider.call(calls + 1)).ended).toBe(false)
  })
})

describe('its errors', () => {
  const failing = (body: object, using = client) =>
    using.messages.create({ ...hello, ...body } as Anthropic.MessageCreateParamsNonStreaming).then(
      () => expect.unreachable('it should have failed'),
      (error) => error,
    )

  it('are those of its classes', async () => {
    const { AuthenticationError, NotFoundError, RateLimitError, InternalServerError, UnprocessableEntityError } =
      Anthropic
    const nobody = await failing({}, clientWith({ apiKey: 'sk-wrong' }))
    expect(nobody).toBeInstanceOf(AuthenticationError)
    expect(nobody).toMatchObject({ status: 401, type: 'authentication_error' })

    const unknown = await failing({ model: 'nothing' })
    expect(unknown).toBeInstanceOf(NotFoundError)
    expect(unknown).toMatchObject({ status: 404, type: 'not_found_error' })
    await expect(client.messages.countTokens({ ...hello, model: 'nothing' })).rejects.toBeInstanceOf(NotFoundError)

    const wrong = await failing({ messages: [{ role: 'user', content: [{ type: 'audio' }] }] })
    expect(wrong).toBeInstanceOf(UnprocessableEntityError)
    expect(wrong).toMatchObject({ type: 'invalid_request_error' })

    provider.script({ fail: { status: 429 } }, { fail: { status: 500 } })
    const busy = await failing({})
    expect(busy).toBeInstanceOf(RateLimitError)
    expect(busy).toMatchObject({ type: 'rate_limit_error' })
    expect(await failing({ stream: true })).toBeInstanceOf(InternalServerError)
  })

  it("do not take the provider's refusal of its own key for the caller's", async () => {
    provider.script({ fail: { status: 401, body: { error: { message: 'Bad key.' } } } })
    expect(await failing({})).toMatchObject({ status: 502, type: 'api_error' })
  })

  it('have that shape also where the gate refuses', async () => {
    const reply = await app.anonymous.post('/api/v1/messages', hello)
    expect(reply).toMatchObject({ status: 401, body: { type: 'error', error: { type: 'authentication_error' } } })
    expect(reply.body.request_id).toBeTruthy()
    const garbled = await ana.send('POST', '/api/v1/messages', {
      body: '{"model":',
      headers: { 'content-type': 'application/json' },
    })
    expect(garbled).toMatchObject({ status: 400, body: { type: 'error', error: { type: 'invalid_request_error' } } })
  })

  it.each([
    ['tells of it', { chunks: ['Good ', 'day.'], errorAfter: 1 }],
    ['is cut off within a frame', { chunks: ['Good ', 'day.'], cutsAfter: 1 }],
  ])('come within the stream when the model %s, and nothing looks whole', async (_name, behaviour) => {
    provider.script(behaviour)
    const heard: string[] = []
    const stream = client.messages.stream(hello).on('text', (piece) => heard.push(piece))
    await expect(stream.finalMessage()).rejects.toMatchObject({ type: 'api_error' })
    expect(heard.join('')).toBe('Good ')

    provider.script(behaviour)
    const { text } = await ana.post('/api/v1/messages', { ...hello, stream: true })
    expect(text).toContain('event: error\ndata: {"type":"error"')
    expect(text).not.toContain('message_stop')
  })
})

describe('a chat in the request', () => {
  it('that is another’s, or nobody’s, is not found (A03)', async () => {
    const bob = await app.user()
    const chat = { title: 'Mine', models: ['swift'], messages: [], history: { currentId: null, messages: {} } }
    const { body } = await bob.post('/api/v1/chats/new', { chat })
    const before = provider.calls().length
    for (const chat_id of [body.id, app.unknownId(), 'nonsense']) {
      const reply = await ana.post('/api/v1/messages', { ...hello, chat_id, id: app.unknownId() })
      expect(reply).toMatchObject({ status: 404, body: { type: 'error', error: { type: 'not_found_error' } } })
    }
    expect(provider.calls()).toHaveLength(before)
  })
})
