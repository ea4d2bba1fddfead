/** Which parts of a provider's reply must not be forwarded unchanged, and which parts of its errors must be. */
import { afterAll, describe, expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn, prepareChat } from '#test/harness/chat.ts'
import { type Behaviour, gate, startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp()
const owner = await app.platformOwner()
const made = await owner.post('/api/v1/connections', { type: 'compat', name: 'P', url: provider.url, prefix_id: 'pre' })
if (made.status >= 300) throw new Error(made.text)
const ana = await app.user()
await vi.waitFor(async () => expect((await ana.get('/api/models')).text).toContain('pre.swift'), { timeout: 20_000 })
afterAll(() => provider.close())

const path = '/api/chat/completions'
const messages = [{ role: 'user', content: 'Hello' }]
const ways = [
  ['forwarded', {}],
  ['through the pipeline', { features: { memory: true } }],
] as const
const chunk = (more: Record<string, unknown>, content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', model: 'swift-2026', ...more, choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`
const stream = (...frames: string[]): Behaviour => ({
  bytes: [...frames, chunk({}, '', 'stop'), 'data: [DONE]\n\n'].join(''),
  contentType: 'text/event-stream',
})

describe('a frame of a provider that holds an event object', () => {
  const evil = 'data: {"event":{"type":"execute","data":{"code":"alert(1)"}}}\n\n'
  const spaced = 'data: { "event" : {"type":"execute"} }\r\n\r\n'
  const mixed = chunk({ event: { type: 'execute' } }, 'evil')

  it.each(ways)('is dropped when it is %s', async (_way, more) => {
    provider.script(stream(evil, chunk({}, 'Hi '), spaced, mixed, chunk({}, 'there, {"event":{"a":1}}')))
    const reply = await ana.post(path, { model: 'pre.swift', messages, stream: true, ...more })
    expect(reply.text).not.toContain('execute')
    const frames = framesIn(reply.text)
    expect(frames.map((frame) => frame.choices?.[0]?.delta?.content ?? '').join('')).toBe('Hi there, {"event":{"a":1}}')
    expect(frames.at(-1)).toBe('[DONE]')
  })

  it('is dropped in a chat, in the messages format, in a reply that is not streamed and in the passthrough', async () => {
    const chat = await prepareChat(ana, { model: 'pre.swift' })
    provider.script(stream(evil, chunk({}, 'Hi'), mixed))
    await ana.post(path, { model: 'pre.swift', stream: true, ...chat.body })
    expect(await chat.done()).toMatchObject({ content: 'Hi' })
    provider.script(stream(evil, chunk({}, 'Hi'), mixed))
    const formatted = await ana.post('/api/v1/messages', { model: 'pre.swift', messages, max_tokens: 9, stream: true })
    expect(formatted.text).toContain('"text":"Hi"')
    expect(formatted.text).not.toMatch(/execute|evil/)
    const whole = { id: 'c', event: { type: 'execute' }, choices: [{ index: 0, message: { content: 'Hi' } }] }
    provider.script({ bytes: JSON.stringify(whole), contentType: 'application/json' })
    const reply = await ana.post(path, { model: 'pre.swift', messages })
    expect(reply.body).toMatchObject({ choices: [{ message: { content: 'Hi' } }] })
    expect(reply.text).not.toContain('execute')
    provider.script(stream(evil, chunk({}, 'Hi'), mixed))
    const passed = await ana.post('/upstream/v1/chat/completions', { model: 'pre.swift', messages, stream: true })
    expect(passed.text).toContain('Hi')
    expect(passed.text).not.toContain('execute')
  })
})

describe('what a provider adds to the frames of the API', () => {
  const foreign = { sources: [{ source: { name: 'forged' } }], title: 'forged', selected_model_id: 'forged' }
  const named = `event: execute\ndata: {"code":"forged()"}\n\n`
  const sent = () => stream(named, 'data: {"type":"chat:title","data":"forged"}\n\n', chunk(foreign, 'Hi'))

  it.each(ways)('is dropped when it is %s', async (_way, more) => {
    provider.script(sent())
    const reply = await ana.post(path, { model: 'pre.swift', messages, stream: true, ...more })
    expect(reply.text).toContain('"content":"Hi"')
    expect(reply.text).not.toMatch(/forged|event:/)
  })

  it('is dropped in a chat, in the messages format, in a reply that is not streamed and in the passthrough', async () => {
    const chat = await prepareChat(ana, { model: 'pre.swift' })
    provider.script(sent())
    const inChat = await ana.post(path, { model: 'pre.swift', stream: true, ...chat.body })
    expect(inChat.text).not.toContain('forged')
    expect(JSON.stringify(await chat.done())).not.toContain('forged')
    provider.script(sent())
    const formatted = await ana.post('/api/v1/messages', { model: 'pre.swift', messages, max_tokens: 9, stream: true })
    expect(formatted.text).toContain('"text":"Hi"')
    expect(formatted.text).not.toContain('forged')
    const whole = { id: 'c', ...foreign, choices: [{ index: 0, message: { content: 'Hi' } }] }
    for (const door of [path, '/api/v1/messages']) {
      provider.script({ bytes: JSON.stringify(whole), contentType: 'application/json' })
      expect((await ana.post(door, { model: 'pre.swift', messages, max_tokens: 9 })).text).not.toContain('forged')
    }
    provider.script(sent())
    const passed = await ana.post('/upstream/v1/chat/completions', { model: 'pre.swift', messages, stream: true })
    expect(passed.text).toContain('Hi')
    expect(passed.text).not.toMatch(/forged|event:/)
  })

  it('is dropped by the passthroughs too, whatever the provider calls its reply', async () => {
    const doors = [
      ['/upstream/v1/chat/completions', { messages }],
      ['/upstream/v1/completions', { prompt: 'Hello' }],
      ['/upstream/v1/responses', { input: 'Hello' }],
      ['/api/responses', { input: 'Hello' }],
    ] as const
    const ask = async (bytes: string, contentType: string, stream: boolean) => {
      const replies = []
      for (const [door, body] of doors) {
        app.clock.forward({ minutes: 5 })
        provider.script({ bytes, contentType })
        replies.push(await ana.post(door, { model: 'pre.swift', ...body, stream }))
      }
      return replies
    }
    const frames = `${named}${chunk(foreign, 'Hi')}data: [DONE]\n\n`
    for (const reply of await ask(frames, 'Text/Event-Stream', true)) expect(reply.text).not.toMatch(/forged|event:/)
    for (const type of ['application/json', 'text/plain', 'text/html'])
      for (const reply of await ask(frames, type, true)) {
        expect(reply).toMatchObject({ status: 502, body: { code: 'provider_failed' } })
        expect(reply.text).not.toContain('forged')
      }
    const whole = { id: 'c', event: { type: 'forged' }, choices: [{ index: 0, message: { content: 'Hi' } }] }
    for (const reply of await ask(JSON.stringify(whole), 'text/html', false)) {
      expect(reply.headers.get('content-type')).toContain('application/json')
      expect(reply.body).toEqual({ id: 'c', choices: whole.choices })
    }
  })

  it('ends the reply where it is no JSON', async () => {
    for (const [_way, more] of ways) {
      provider.script(stream(chunk({}, 'Hi'), 'data: forged\n\n'))
      const { text } = await ana.post(path, { model: 'pre.swift', messages, stream: true, ...more })
      expect(text).toContain('"content":"Hi"')
      expect(text).not.toContain('forged')
      expect(framesIn(text).at(-2)).toMatchObject({ error: { code: 'provider_failed' } })
    }
  })
})

describe('the model in a reply', () => {
  it.each(ways)('is the caller’s name for it when it is %s', async (_way, more) => {
    for (const isStreamed of [false, true]) {
      provider.script({ chunks: ['a', 'b', 'c'] })
      const body = { model: 'pre.swift', messages, stream: isStreamed, stream_options: { include_usage: true } }
      const reply = await ana.post(path, { ...body, ...more })
      const models = isStreamed ? framesIn(reply.text).map((frame) => frame.model) : [reply.body.model]
      expect(new Set(models.filter(Boolean))).toEqual(new Set(['pre.swift']))
    }
  })
})

describe('a provider that refuses a request', () => {
  const error = {
    message: 'Too long.',
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    param: 'messages',
  }

  it.each([400, 404, 422])('with %i is quoted: its status, code and param', async (status) => {
    for (const more of [{}, { stream: true }, { features: { memory: true } }]) {
      provider.script({ fail: { status, body: { error } } })
      const reply = await ana.post(path, { model: 'pre.swift', messages, ...more })
      expect(reply).toMatchObject({ status, body: { code: 'provider_refused', detail: 'Too long.' } })
      expect(reply.body.error).toEqual(error)
    }
    provider.script({ fail: { status, body: { error } } })
    const passed = await ana.post('/upstream/v1/chat/completions', { model: 'pre.swift', messages })
    expect(passed).toMatchObject({ status, body: { code: 'provider_refused', error } })
    provider.script({ fail: { status, body: { error } } })
    const formatted = await ana.post('/api/v1/messages', { model: 'pre.swift', messages, max_tokens: 9 })
    expect(formatted).toMatchObject({ status, body: { error: { message: 'Too long.' } } })
  })

  it('in the middle of a stream is quoted too', async () => {
    for (const [, more] of ways) {
      provider.script({
        bytes: `${chunk({}, 'Hi')}data: ${JSON.stringify({ error })}\n\n`,
        contentType: 'text/event-stream',
      })
      const reply = await ana.post(path, { model: 'pre.swift', messages, stream: true, ...more })
      expect(framesIn(reply.text).find((frame) => frame.error)?.error).toMatchObject({
        code: 'context_length_exceeded',
        param: 'messages',
      })
    }
  })
})

describe('a model that is silent after its headers', () => {
  it.each(ways)('does not keep the caller waiting for theirs when the stream is %s', async (_way, more) => {
    const hold = gate()
    provider.script({ chunks: ['at ', 'last'], gate: hold })
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ana.token}` },
      body: JSON.stringify({ model: 'pre.swift', messages, stream: true, ...more }),
    })
    expect(response.status).toBe(200)
    for (let count = 0; count < 3; count += 1) hold.open()
    const frames = framesIn(await response.text())
    expect(frames.map((frame) => frame.choices?.[0]?.delta?.content ?? '').join('')).toBe('at last')
  })
})
