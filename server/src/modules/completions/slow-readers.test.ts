/** A36: clients that never read. Each is bounded, and nobody else notices. */
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import type { Person } from '#test/harness/people.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

/** Sends a request and reads nothing of the reply, not even into its own buffers. */
const askAndSleep = (person: Person, body: object): Promise<Socket> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(app.url)
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      const text = JSON.stringify(body)
      socket.pause()
      socket.write(
        `POST /api/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${person.token}\r\n` +
          `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        () => resolve(socket),
      )
    })
    socket.on('error', () => undefined)
    sockets.push(socket)
  })

const frameOf = (content: string) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`

describe('callers who never read', () => {
  it('do not hold their replies up, and get all of it when they read at last', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    // Some seven megabytes on the wire: more than the sockets of both sides and our own bound take, before it is joined.
    const words = Array.from({ length: 35_000 }, (_, index) => `word${index % 10} `)
    provider.script({ bytes: `${words.map(frameOf).join('')}data: [DONE]\n\n` })
    const sleeper = await askAndSleep(ana, { model: 'swift', stream: true, ...chat.body })
    await vi.waitFor(async () => expect((await chat.message()).done).toBe(true), { timeout: 60_000, interval: 500 })
    expect((await chat.message()).content === words.join('')).toBe(true)
    const heard = await text(sleeper)
    expect(heard.includes('[DONE]')).toBe(true)
    expect(heard.includes('reader_too_slow')).toBe(false)
  }, 90_000)

  it('of a stream without a chat make the provider wait, and nothing pile up', async () => {
    const ana = await app.user()
    const count = provider.calls().length
    provider.script({ chunks: Array.from({ length: 2000 }, () => 'x'.repeat(10_000)) })
    const socket = await askAndSleep(ana, { model: 'swift', stream: true, messages: [{ role: 'user', content: 'x' }] })
    const call = await provider.call(count + 1)
    const other = await ana.post('/api/chat/completions', {
      model: 'swift',
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(other).toMatchObject({ status: 200, body: { choices: [{ message: { content: 'hi' } }] } })
    socket.destroy()
    expect(await call.ended).toBe(false)
  })
})
