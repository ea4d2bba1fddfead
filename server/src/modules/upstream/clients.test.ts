/** The official clients of runtimes and of the responses API, through the running server. */
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { gate, startModelProvider } from '#test/peers/model-provider.ts'
import { startModelRuntime } from '#test/peers/model-runtime.ts'

const runtime = await startModelRuntime({ models: ['tiny:latest', 'wide:latest'] })
const provider = await startModelProvider({ models: ['swift'], key: 'sk-of-the-provider' })
afterAll(() => Promise.all([runtime.close(), provider.close()]))
const app = await testApp({
  env: {
    UPSTREAM_BASE_URL: runtime.url,
    COMPAT_API_BASE_URL: provider.url,
    COMPAT_API_KEY: 'sk-of-the-provider',
  },
})
const ana = await app.user()
const { key } = (await ana.post('/api/v1/api-keys', { name: 'for clients' })).body
const ollama = new Ollama({ host: `${app.url}/upstream`, headers: bearer(key) })
const openai = new OpenAI({ baseURL: `${app.url}/upstream/v1`, apiKey: key, maxRetries: 0 })

describe('the client of local runtimes', () => {
  it('lists, shows and asks for the version', async () => {
    const { models } = await ollama.list()
    expect(models.map(({ name }) => name).sort()).toEqual(['tiny:latest', 'wide:latest'])
    expect(models[0]).toMatchObject({ size: 1234, details: { family: 'peer' } })
    expect((await ollama.show({ model: 'tiny:latest' })).capabilities).toContain('tools')
    expect(await ollama.version()).toEqual({ version: '0.12.3' })
  })

  it('generates at one go and as a stream', async () => {
    expect(await ollama.generate({ model: 'tiny:latest', prompt: 'Hello there' })).toMatchObject({
      response: 'Hello there',
      done: true,
    })
    const pieces: string[] = []
    for await (const { response } of await ollama.generate({ model: 'tiny:latest', prompt: 'a b c', stream: true }))
      pieces.push(response ?? '')
    expect(pieces).toEqual(['a ', 'b ', 'c', ''])
  })

  it('has its variables filled in, and the model those that the server knows', async () => {
    const ben = await app.user({ name: 'Ben' })
    const model = `greeter-${app.unknownId()}`
    await ben.post('/api/v1/models/create', {
      id: model,
      name: 'Greeter',
      base_model_id: 'tiny:latest',
      params: { system: 'You serve {{USER_NAME}} in {{USER_LANGUAGE}}.' },
      access_grants: [],
    })
    const variables = { '{{CITY}}': 'Porto', USER_LANGUAGE: 'pt' }
    const { body } = await ben.post('/upstream/api/generate', {
      model,
      prompt: 'From {{CITY}} and {{OTHER}}',
      variables,
      stream: false,
    })
    expect(body.response).toBe('From Porto and {{OTHER}}')
    const sent = runtime.calls().at(-1)?.body
    expect(sent).toMatchObject({ system: `You serve ${ben.name} in pt.` })
    expect(sent).not.toHaveProperty('variables')
    const content = [{ type: 'input_text', text: 'In {{CITY}}' }]
    await ben.post('/upstream/v1/responses', { model: 'tiny:latest', input: [{ role: 'user', content }], variables })
    expect(JSON.stringify(runtime.calls().at(-1)?.body)).toContain('In Porto')
  })

  it('chats, with thoughts and tool calls as the runtime words them', async () => {
    runtime.script(
      { reasoning: ['Hm.'], text: 'Noon.' },
      { toolCalls: [{ name: 'clock', arguments: { zone: 'UTC' } }] },
    )
    const messages = [{ role: 'user', content: 'What time is it?' }]
    expect((await ollama.chat({ model: 'tiny:latest', messages, think: true })).message).toMatchObject({
      thinking: 'Hm.',
      content: 'Noon.',
    })
    const { message } = await ollama.chat({ model: 'tiny:latest', messages })
    expect(message.tool_calls).toEqual([{ function: { name: 'clock', arguments: { zone: 'UTC' } } }])
  })

  it('sees each piece of a stream when it was said, not at the end', async () => {
    const hold = gate()
    runtime.script({ chunks: ['one', 'two'], gate: hold })
    const stream = await ollama.chat({ model: 'tiny:latest', messages: [], stream: true })
    const parts = stream[Symbol.asyncIterator]()
    hold.open()
    expect((await parts.next()).value).toMatchObject({ message: { content: 'one' } })
    hold.open()
    expect((await parts.next()).value).toMatchObject({ message: { content: 'two' } })
    expect((await parts.next()).value).toMatchObject({ done: true })
  })

  it('embeds, in both of the ways there are', async () => {
    const { embeddings } = await ollama.embed({ model: 'tiny:latest', input: ['a', 'b'] })
    expect(embeddings).toHaveLength(2)
    expect((await ollama.embeddings({ model: 'tiny:latest', prompt: 'a' })).embedding).toEqual(embeddings[0])
  })

  it('shares its models with the chat-completion API, which speaks to the runtime natively', async () => {
    const gateway = new OpenAI({ baseURL: `${app.url}/api`, apiKey: key, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'one two' }]
    const pieces: string[] = []
    for await (const { choices } of await gateway.chat.completions.create({
      model: 'tiny:latest',
      messages,
      stream: true,
    }))
      pieces.push(choices[0]?.delta.content ?? '')
    expect(pieces.join('')).toBe('one two')
    expect(runtime.requests.at(-1)).toMatchObject({ path: '/api/chat', body: { model: 'tiny:latest', stream: true } })
  })

  it('gets an error for an unknown model that it can show', async () => {
    await expect(ollama.chat({ model: 'nothing', messages: [] })).rejects.toMatchObject({
      status_code: 404,
      error: "We couldn't find that model. It may have been removed, or you don't have access to it.",
    })
  })
})

describe('the client of the responses API', () => {
  it.each(['tiny:latest', 'swift'])('gets JSON and events from %s, runtime or provider', async (model) => {
    const { output_text: text, usage } = await openai.responses.create({ model, input: 'Hello there' })
    expect(text).toBe('Hello there')
    expect(usage).toMatchObject({ input_tokens: 10, output_tokens: 2 })
    const types: string[] = []
    for await (const event of await openai.responses.create({ model, input: 'a b', stream: true }))
      types.push(event.type)
    expect(types).toEqual([
      'response.created',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.completed',
    ])
  })

  it('is answered by the connection of each model, with its key only', async () => {
    await openai.responses.create({ model: 'swift', input: 'x' })
    expect(provider.requests.at(-1)).toMatchObject({
      path: '/v1/responses',
      headers: { authorization: 'Bearer sk-of-the-provider' },
    })
  })

  it('lists models and completes chats of runtimes', async () => {
    const ids: string[] = []
    for await (const { id } of openai.models.list()) ids.push(id)
    expect(ids.sort()).toEqual(['tiny:latest', 'wide:latest'])
    expect(await openai.models.retrieve('tiny:latest')).toMatchObject({ id: 'tiny:latest', object: 'model' })
    const messages = [{ role: 'user' as const, content: 'Hello there' }]
    const { choices } = await openai.chat.completions.create({ model: 'tiny:latest', messages })
    expect(choices[0]?.message.content).toBe('Hello there')
  })

  it('reads refusals as errors of its own kind', async () => {
    await expect(openai.responses.create({ model: 'nothing', input: 'x' })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    })
    runtime.script({ fail: { status: 400, body: { error: { message: 'input is too long', type: 'x' } } } })
    await expect(openai.responses.create({ model: 'tiny:latest', input: 'x' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('input is too long'),
    })
  })
})
