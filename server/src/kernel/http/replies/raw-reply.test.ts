import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { kernelVariables, readVariables } from '#kernel/config/config.ts'
import { AppError } from '#kernel/errors.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLimits } from '#kernel/limits/limits.ts'
import { createLog } from '#kernel/log.ts'
import { systemClock } from '../../clock.ts'
import type { Actor } from '../actor.ts'
import { route } from '../route.ts'
import { createHttpServer } from '../server.ts'
import { eventStreamHeaders, type Outlet } from './raw-reply.ts'

const log = createLog('silent')
const limits = await createLimits({ clock: systemClock, log })
const actor = {
  kind: 'user',
  id: 'someone',
  role: 'ROLE_USER',
  credential: { allowedRoutes: null },
} as unknown as Actor

interface Reader {
  /** Writes to them, where the handler writes itself. */
  outlet?: Outlet
  left: PromiseWithResolvers<void>
}
const readers = new Map<string, Reader>()
/** By the name in the address, so that tests can run at the same time. */
const readerOf = (name: string): Reader => {
  const reader: Reader = readers.get(name) ?? { left: Promise.withResolvers<void>() }
  readers.set(name, reader)
  return reader
}
const raw = { access: 'public', reply: 'raw', summary: 'For this test.' } as const
const routes = [
  route({ ...raw, method: 'GET', path: '/health/text', handle: async () => ({ status: 202, body: 'text' }) }),
  route({
    ...raw,
    method: 'GET',
    path: '/health/stream',
    handle: async () => ({ body: Readable.from([Buffer.from('a'), Buffer.from('b')]) }),
  }),
  route({
    ...raw,
    method: 'GET',
    path: '/health/streamed',
    handle: async () => ({
      headers: eventStreamHeaders,
      body: async (outlet: Outlet) => {
        outlet.write('data: 1\n\n')
        await outlet.drained()
        outlet.write(Buffer.from('data: 2\n\n'))
      },
    }),
  }),
  route({
    ...raw,
    method: 'GET',
    path: '/health/broken',
    handle: async () => ({
      body: async (outlet: Outlet) => {
        outlet.write('half')
        throw new Error('no more')
      },
    }),
  }),
  route({
    ...raw,
    method: 'GET',
    path: '/health/endless/:reader',
    handle: async ({ params }) => ({
      body: async (outlet: Outlet) => {
        const reader = Object.assign(readerOf(params.reader), { outlet })
        outlet.onClose(reader.left.resolve)
        while (outlet.isOpen) if (!outlet.write('x'.repeat(65_536))) await outlet.drained()
      },
    }),
  }),
  route({
    ...raw,
    method: 'GET',
    path: '/health/whole/:reader',
    handle: async ({ http, params }) => {
      http.signal.addEventListener('abort', () => readerOf(params.reader).left.resolve())
      return { body: 'x'.repeat(32 * 1024 * 1024) }
    },
  }),
  route({
    ...raw,
    method: 'GET',
    path: '/health/much/:reader',
    handle: async ({ params }) => ({
      body: async (outlet: Outlet) => {
        const reader = Object.assign(readerOf(params.reader), { outlet })
        outlet.onClose(reader.left.resolve)
        for (let count = 0; count < 512; count += 1) outlet.write('x'.repeat(65_536))
      },
    }),
  }),
  route({
    ...raw,
    method: 'POST',
    path: '/health/bytes',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    accepts: 'bytes',
    maxBodyBytes: 10,
    handle: async ({ http }) => ({ body: http.bytes }),
  }),
  route({
    ...raw,
    method: 'POST',
    path: '/health/echo/*',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    accepts: 'stream',
    handle: async ({ http, params }) => ({ headers: { 'x-rest': params['*'] }, body: http.incoming }),
  }),
  route({
    method: 'POST',
    path: '/health/shaped',
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'For this test.',
    keyHeaders: ['x-other-key'],
    errorShape: ({ code, detail }, error) => ({ type: 'error', status: error.status, code, detail }),
    body: z.strictObject({ fine: z.boolean() }),
    handle: async () => {
      throw new AppError('not_found')
    },
  }),
]
const startServer = async (readerPatienceMs: number): Promise<string> => {
  const server = await createHttpServer({
    log,
    ids: systemIds,
    limits,
    routes,
    config: readVariables(kernelVariables, {}),
    webDir: '/nowhere',
    externalUrl: undefined,
    authenticate: (token) => (token === 'sk-right' ? actor : undefined),
    readerPatienceMs,
  })
  afterAll(() => server.close())
  return server.listen({ port: 0, host: '127.0.0.1' })
}
const url = await startServer(1500)
const impatientUrl = await startServer(200)

describe('a raw reply', () => {
  it('is a text with the status the handler chose, or a stream', async () => {
    const text = await fetch(`${url}/health/text`)
    expect([text.status, await text.text()]).toEqual([202, 'text'])
    expect(await (await fetch(`${url}/health/stream`)).text()).toBe('ab')
  })

  it('is written piece by piece, with the headers that every answer has', async () => {
    const reply = await fetch(`${url}/health/streamed`)
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('x-request-id')).toMatch(/\S/)
    expect(await reply.text()).toBe('data: 1\n\ndata: 2\n\n')
  })

  it('is cut, not ended, when writing fails', async () => {
    const reply = await fetch(`${url}/health/broken`)
    await expect(reply.text()).rejects.toThrow()
  })

  it('makes the writer wait for a slow reader, and tells it when the reader is gone', async () => {
    const leaving = new AbortController()
    const reply = await fetch(`${url}/health/endless/slow`, { signal: leaving.signal })
    expect(reply.status).toBe(200)
    const reader = readerOf('slow')
    expect(reader.outlet?.isOpen).toBe(true)
    leaving.abort()
    await reader.left.promise
    expect(reader.outlet?.isOpen).toBe(false)
    expect(reader.outlet?.write('more')).toBe(false)
  })

  it.concurrent.each([
    ['while there is more to come', 'endless'],
    ['once all is said', 'much'],
    ['where all was said at once', 'whole'],
  ])('is cut off for a client that takes nothing, %s', async (_when, what) => {
    const reader = readerOf(what)
    const { port, hostname, host } = new URL(impatientUrl)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /health/${what}/${what} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    // Nobody listens for data: the socket takes a few kilobytes and no more.
    await reader.left.promise
    // The reply that was said at once has none.
    expect(reader.outlet?.isOpen ?? false).toBe(false)
    socket.destroy()
  })

  it.concurrent('reaches whole a client that takes little at a time, though it takes much longer than one may take nothing', async () => {
    const { body } = await fetch(`${url}/health/much/little`)
    let length = 0
    for await (const bytes of body ?? []) {
      length += bytes.length
      await sleep(5)
    }
    expect(length).toBe(512 * 65_536)
  })
})

describe('a body in bytes', () => {
  const send = (type: string, body: string) =>
    fetch(`${url}/health/bytes`, { method: 'POST', headers: { 'content-type': type }, body })

  it.each(['application/json', 'application/x-www-form-urlencoded', 'image/png'])(
    'comes as it was sent as %s',
    async (type) => expect(await (await send(type, '{"a": 1')).text()).toBe('{"a": 1'),
  )

  it.each(['application/json', 'image/png'])('is capped as %s', async (type) => {
    const reply = await send(type, 'x'.repeat(11))
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([413, 'body_too_large'])
  })

  it('may be a stream of any length, at any address below a star', async () => {
    const headers = { 'content-type': 'application/octet-stream' }
    const body = 'y'.repeat(3 * 1024 * 1024)
    const reply = await fetch(`${url}/health/echo/a/b`, { method: 'POST', headers, body })
    expect(reply.headers.get('x-rest')).toBe('a/b')
    expect((await reply.text()).length).toBe(body.length)
  })
})

describe("another API's clients", () => {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}/health/shaped`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  it('may send their key in their own header, and read every error in their own shape', async () => {
    const key = { 'x-other-key': 'sk-right' }
    const replies = [await send({}), await send({ fine: 'no' }, key), await send({ fine: true }, key)]
    const bodies = await Promise.all(replies.map((reply) => reply.json()))
    expect(bodies).toEqual([
      expect.objectContaining({ type: 'error', status: 401, code: 'not_authenticated' }),
      expect.objectContaining({ type: 'error', status: 422, code: 'validation_failed' }),
      expect.objectContaining({ type: 'error', status: 404, code: 'not_found' }),
    ])
  })
})
