/** A53: whatever a provider does, the message ends, the caller gets an error, and nothing is left open. */
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn, prepareChat } from '#test/harness/chat.ts'
import { type Behaviour, invalidUtf8, type ModelProvider, startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const owner = await app.platformOwner()
const path = '/api/chat/completions'

const chunk = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`
const whole = `${chunk('It is noon', 'stop')}data: [DONE]\n\n`

interface Case {
  name: string
  behaviour: Behaviour
  content: string
  /** None: the reply is well. */
  code?: string
  /** Before the first byte there is a status, after it a frame. */
  status?: number
}

/** These wait for the time limit, so they wait together, each with a provider of its own. */
const silentCases: Case[] = [
  { name: 'hangs before it answers', behaviour: { hangs: true }, content: '', code: 'provider_timeout', status: 504 },
  {
    name: 'falls silent in the middle',
    behaviour: { chunks: ['It', ' is'], hangsAfter: 1 },
    content: 'It',
    code: 'provider_timeout',
  },
]

const cases: Case[] = [
  { name: 'answers 500', behaviour: { fail: { status: 500 } }, content: '', code: 'provider_failed', status: 502 },
  {
    name: 'answers 500 in HTML',
    content: '',
    code: 'provider_failed',
    status: 502,
    behaviour: {
      fail: { status: 500, body: '<h1>at Object.<anonymous> (/srv/x.js:1)</h1>', contentType: 'text/html' },
    },
  },
  {
    name: 'refuses the request',
    behaviour: { fail: { status: 400, body: { error: { message: 'too long' } } } },
    content: '',
    code: 'provider_refused',
    status: 400,
  },
  { name: 'is busy', behaviour: { fail: { status: 429 } }, content: '', code: 'provider_busy', status: 429 },
  {
    name: 'cuts the line within a frame',
    behaviour: { chunks: ['It', ' is'], cutsAfter: 1 },
    content: 'It',
    code: 'provider_failed',
  },
  {
    name: 'tells an error in the middle',
    behaviour: { chunks: ['It', ' is'], errorAfter: 1 },
    content: 'It',
    code: 'provider_failed',
  },
  {
    name: 'sends half a frame and ends',
    behaviour: { bytes: chunk('It') + chunk(' is').slice(0, 25) },
    content: 'It',
    code: 'provider_failed',
  },
  {
    name: 'sends no JSON',
    behaviour: { bytes: `${chunk('It')}data: <oops>\n\n${whole}` },
    content: 'It',
    code: 'provider_failed',
  },
  { name: 'never says [DONE]', behaviour: { chunks: ['It is noon'], done: 'never' }, content: 'It is noon' },
  { name: 'says [DONE] twice', behaviour: { chunks: ['It is noon'], done: 'twice' }, content: 'It is noon' },
  {
    name: 'sends one byte at a time',
    behaviour: { chunks: ['It is', ' näon 😀'], splitsAt: 1 },
    content: 'It is näon 😀',
  },
  { name: 'sends invalid UTF-8', behaviour: { bytes: invalidUtf8(whole, 'noon') }, content: 'It is \ufffd\ufffd' },
  {
    name: 'sends Windows line ends and comments',
    behaviour: { bytes: `: hi\r\n\r\n${whole.replaceAll('\n', '\r\n')}` },
    content: 'It is noon',
  },
  {
    name: 'calls its stream something else',
    behaviour: { bytes: whole, contentType: 'text/plain' },
    content: '',
    code: 'provider_failed',
    status: 502,
  },
  {
    name: 'sends a line of 3 MB',
    content: 'x'.repeat(1_500_000),
    behaviour: { bytes: `${chunk('x'.repeat(1_500_000), 'stop')}: ${'y'.repeat(1_500_000)}\n\ndata: [DONE]\n\n` },
  },
  {
    name: 'sends a line without an end',
    content: '',
    code: 'provider_failed',
    behaviour: { bytes: Buffer.concat([Buffer.from(chunk('')), Buffer.from(`data: ${'y'.repeat(17 * 1024 * 1024)}`)]) },
  },
  {
    name: 'writes more than a message holds',
    behaviour: { bytes: `${chunk('x'.repeat(2_100_000))}${whole}` },
    content: '',
    code: 'reply_too_long',
  },
  {
    name: 'sends what is no stream',
    // Without a line end in it, nothing is ever a frame.
    behaviour: { bytes: randomBytes(2000).map((byte) => byte | 0x80) },
    content: '',
    code: 'provider_failed',
    status: 502,
  },
]

const expectEnd = async (
  { behaviour, content, code, status = 200 }: Case,
  { peer, model }: { peer: ModelProvider; model: string },
) => {
  const ana = await app.user()
  const chat = await prepareChat(ana, { model })
  peer.script(behaviour)
  const count = peer.calls().length
  const reply = await ana.post(path, { model, stream: true, ...chat.body })
  expect(reply.status).toBe(status)
  const message = await chat.message()
  expect(message).toMatchObject({ content, done: true })
  expect(message.error?.code).toBe(code)
  if (status === 200) {
    const frames = framesIn(reply.text)
    expect(frames.at(-1)).toBe('[DONE]')
    expect(frames.find((frame) => frame.error)?.error.code).toBe(code)
  } else expect(reply.body).toMatchObject({ code, error: { code } })
  expect(reply.text).not.toContain('/srv/')
  await (await peer.call(count + 1)).ended
  expect(await app.db.selectFrom('replyTasks').select('id').where('userId', '=', ana.id).execute()).toEqual([])
}

describe.concurrent.each(silentCases)('a provider that $name', (silentCase) => {
  it('leaves a message that is done, tells the caller, and holds no connection', async () => {
    const model = randomUUID()
    const peer = await startModelProvider({ models: [model] })
    const connection = { type: 'compat', name: model, url: peer.url, timeout_sec: 1 }
    expect((await owner.post('/api/v1/connections', connection)).status).toBe(201)
    await expectEnd(silentCase, { peer, model })
    await peer.close()
  })
})

describe.each(cases)('a provider that $name', (oneCase) => {
  it('leaves a message that is done, tells the caller, and holds no connection', async () => {
    await expectEnd(oneCase, { peer: provider, model: 'swift' })
    app.clock.forward({ minutes: 2 })
  })
})
