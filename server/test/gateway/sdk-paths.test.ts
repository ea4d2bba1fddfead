/** Paths that the SDKs of both APIs expect beside plain chat. */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { openaiOf } from '#test/harness/chat.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const ana = await app.user()
afterAll(() => provider.close())

const message = { role: 'user', content: 'Hello there, how are you today?' }
const path = '/api/v1/messages'

describe('the official SDK at the documented base address', () => {
  const client = openaiOf(app, ana)

  it('makes embeddings and responses, and lists models', async () => {
    const { data } = await client.embeddings.create({ model: 'swift', input: ['a', 'b'], encoding_format: 'float' })
    expect(data).toHaveLength(2)
    const reply = await client.responses.create({ model: 'swift', input: 'Hello' })
    expect(reply.output_text).toContain('Hello')
    const listed = await openaiOf(app, ana, '/api/v1').models.list()
    expect(listed.data.map(({ id }) => id)).toContain('swift')
  })

  it('gets a 404 for a model that is unknown', async () => {
    await expect(client.embeddings.create({ model: 'nobody', input: 'a' })).rejects.toMatchObject({ status: 404 })
    await expect(client.responses.create({ model: 'nobody', input: 'a' })).rejects.toMatchObject({ status: 404 })
  })
})

describe('the messages format', () => {
  it('starts a stream with the estimate of count_tokens', async () => {
    const body = { model: 'swift', max_tokens: 50, messages: [message] }
    const counted = await ana.post(`${path}/count_tokens`, body)
    const reply = await ana.post(path, { ...body, stream: true })
    const start = JSON.parse(/data: (\{"type":"message_start".*)/.exec(reply.text)?.[1] ?? '{}')
    expect(counted.body.input_tokens).toBeGreaterThan(0)
    expect(start.message.usage.input_tokens).toBe(counted.body.input_tokens)
  })

  it('takes tool references in the result of a tool search', async () => {
    const use = { type: 'tool_use', id: 'toolu_1', name: 'tool_search', input: { query: 'weather' } }
    const found = [{ type: 'tool_reference', tool_name: 'get_weather' }]
    const messages = [
      message,
      { role: 'assistant', content: [use] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: found }] },
    ]
    const reply = await ana.post(path, { model: 'swift', max_tokens: 50, messages })
    expect(reply.status).toBe(200)
    expect(provider.calls().at(-1)?.body.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('get_weather'),
    })
  })

  it.each([
    [
      'user',
      [
        { type: 'text', text: 'Hi' },
        { type: 'container_upload', file_id: 'f' },
      ],
    ],
    ['assistant', [{ type: 'server_tool_use', id: 'x', name: 'web_search', input: {} }]],
  ])('names the block of a %s message that it does not support', async (role, content) => {
    const reply = await ana.post(path, { model: 'swift', max_tokens: 50, messages: [message, { role, content }] })
    expect(reply.status).toBe(422)
    expect(reply.body.error.message).toContain(content.at(-1)?.type)
  })

  it('names a block inside the result of a tool', async () => {
    const content = [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'video', url: 'x' }] }]
    const reply = await ana.post(path, { model: 'swift', max_tokens: 50, messages: [{ role: 'user', content }] })
    expect(reply.status).toBe(422)
    expect(reply.body.error.message).toContain('video')
  })
})
