/** A model that says nothing for long, and a reader that takes it slowly: neither loses the connection. */
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn, prepareChat } from '#test/harness/chat.ts'
import type { Person } from '#test/harness/people.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'
import { startSite } from '#test/peers/site.ts'

interface Answer {
  status: number
  text: string
}

/** Sends no head before the test chooses what it says. */
let chosen = Promise.withResolvers<Answer>()
const silent = await startSite(async ({ path }, response) => {
  if (path.endsWith('/models')) {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: [{ id: 'thinker' }] }))
    return
  }
  const { status, text } = await chosen.promise
  chosen = Promise.withResolvers()
  response.writeHead(status, { 'content-type': 'text/event-stream' }).end(text)
})
const provider = await startModelProvider({ models: ['swift'] })
const env = { COMPAT_API_BASE_URLS: `${provider.url};http://127.0.0.1:${silent.port}/v1` }
const app = await testApp({ env, timings: { streamSilenceMs: 300 } })
const messages = [{ role: 'user', content: 'Think.' }]
const noon =
  'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Noon."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

const post = (person: Person, path: string, body: object) =>
  fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'thinker', messages, stream: true, max_tokens: 9, ...body }),
  })

describe('a stream of a model that sends nothing at all', () => {
  const doors = [
    ['/api/chat/completions', 'forwarded', {}],
    ['/api/chat/completions', 'through the pipeline', { features: { memory: true } }],
    ['/api/v1/messages', 'in the messages format', {}],
  ] as const

  it.each(doors)('%s has its head and a ping before the model answers, %s', async (path, _way, more) => {
    const ana = await app.user()
    for (const answer of [
      { status: 200, text: noon },
      { status: 500, text: 'out of order' },
    ]) {
      const reply = await post(ana, path, more)
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringContaining('event-stream')])
      const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
      expect((await reader?.read())?.value).toBe(': ping\n\n')
      chosen.resolve(answer)
      let text = ''
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value
      expect(text).toContain(answer.status === 200 ? 'Noon.' : '"error"')
      expect(text).not.toContain('out of order')
      if (path.includes('completions')) expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    }
  })

  it('names its task when the reply belongs to a chat', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana, { model: 'thinker' })
    const reply = await post(ana, '/api/chat/completions', chat.body)
    const { task_ids } = (await ana.get(`/api/tasks/chat/${chat.chatId}`)).body
    expect(reply.headers.get('x-task-id')).toBe(task_ids[0])
    chosen.resolve({ status: 200, text: noon })
    expect(await reply.text()).toContain('Noon.')
  })
})

describe('a stream of a passthrough whose model sends nothing at all', () => {
  const words = 'data: {"type":"response.output_text.delta","delta":"Noon."}\n\n'
  const doors = [
    ['/api/responses', { input: 'Think.' }, words],
    ['/upstream/v1/responses', { input: 'Think.' }, words],
    ['/upstream/v1/messages', {}, words],
    ['/upstream/v1/chat/completions', {}, noon],
    ['/upstream/v1/completions', { prompt: 'Think.' }, noon],
  ] as const

  it.each(doors)('%s has its head and a ping, and a failure as that API tells it', async (path, more, text) => {
    const ana = await app.user()
    for (const answer of [
      { status: 200, text },
      { status: 400, text: '{"error":{"message":"too long"}}' },
      { status: 503, text: 'out of order' },
    ]) {
      const reply = await post(ana, path, more)
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringContaining('event-stream')])
      const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
      expect((await reader?.read())?.value).toBe(': ping\n\n')
      chosen.resolve(answer)
      let said = ''
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) said += part.value
      if (answer.status === 200) expect(said).toBe(text)
      else {
        const [frame] = framesIn(said)
        expect(said).toMatch(/^(event: error\n)?data: \{/)
        expect(frame.error?.message ?? frame.message).toMatch(answer.status === 400 ? 'too long' : /\S/)
        expect(said).not.toContain('out of order')
        expect(said.endsWith('data: [DONE]\n\n')).toBe(path.includes('completions'))
      }
    }
  })
})

describe('a reader of a chat that is slower than the model', () => {
  it('gets every word, though far more frames came than may wait for it', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    const padding = 'x'.repeat(3000)
    const words = Array.from({ length: 8000 }, (_, index) => `w${index} `)
    const frames = words.map(
      (content) =>
        `data: ${JSON.stringify({ id: 'c', system_fingerprint: padding, choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`,
    )
    provider.script({ bytes: frames.join('') + noon.replace('Noon.', ''), contentType: 'text/event-stream' })
    const body = JSON.stringify({ model: 'swift', stream: true, ...chat.body })
    const reply = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json' }
      request(`${app.url}/api/chat/completions`, { method: 'POST', headers }, resolve).on('error', reject).end(body)
    })
    // Nothing is read until the model has said everything.
    await chat.done()
    let text = ''
    for await (const piece of reply.setEncoding('utf8')) text += piece
    const read = framesIn(text)
    expect(read.map((frame) => frame.choices?.[0]?.delta?.content ?? '').join('')).toBe(words.join(''))
    expect(read.at(-1)).toBe('[DONE]')
    expect(read.length).toBeLessThan(words.length)
  })
})
