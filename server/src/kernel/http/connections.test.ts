import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { systemClock } from '#kernel/clock.ts'
import { kernelVariables, readVariables } from '#kernel/config/config.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLimits } from '#kernel/limits/limits.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import type { Patience } from './connections.ts'
import { route } from './route.ts'
import { createHttpServer } from './server.ts'

const log = createLog('silent')
const idleMs = 500
const slowMs = 4 * idleMs
/** Checked every 10 ms; a body must bring 102 bytes in every 100 ms, and be whole after a second unless it is a stream. */
const requestMs = 100
const base = { access: 'public', summary: 'For this test.', reply: 'raw' } as const

const servers: { close(): Promise<unknown> }[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

const startServer = async (patience: Partial<Patience>, isReading: () => Promise<unknown> = async () => undefined) => {
  const server = await createHttpServer({
    log,
    ids: systemIds,
    limits: await createLimits({ clock: systemClock, log }),
    config: readVariables(kernelVariables, {}),
    webDir: '/nowhere',
    externalUrl: undefined,
    authenticate: () => undefined,
    patience,
    routes: [
      route({
        ...base,
        method: 'GET',
        path: '/health/slow',
        handle: async () => {
          await sleep(slowMs)
          return { body: 'at last' }
        },
      }),
      route({ ...base, method: 'GET', path: '/health/quick', handle: async () => ({ body: 'at once' }) }),
      route({
        ...base,
        method: 'POST',
        path: '/health/body',
        writes: { reachesOthers: false, whenReadOnly: 'refused' },
        body: z.strictObject({ text: z.string() }),
        handle: async ({ body }) => ({ body: `read ${body.text.length}` }),
      }),
      route({
        ...base,
        method: 'POST',
        path: '/health/stream',
        writes: { reachesOthers: false, whenReadOnly: 'refused' },
        accepts: 'stream',
        handle: async ({ http }) => {
          await isReading()
          let size = 0
          for await (const bytes of http.incoming) size += bytes.length
          return { body: `read ${size}` }
        },
      }),
    ],
  })
  servers.push(server)
  return Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port)
}
const idlePort = await startServer({ idleMs, requestMs: 300 })

const open = async (port = idlePort) => {
  const socket = connect(port, '127.0.0.1')
    .setEncoding('latin1')
    .on('error', () => undefined)
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve('closed')))
  let said = ''
  socket.on('data', (piece) => {
    said += piece
  })
  await once(socket, 'connect')
  return {
    socket,
    closed,
    said: () => said,
    ask: (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`),
  }
}
const ends = (closed: Promise<string>, withinMs: number) => Promise.race([closed, sleep(withinMs, 'open')])

// Most of the time these tests wait, so they run at the same time.
describe.concurrent('a connection', () => {
  it('is closed when nobody has used it for a while', async () => {
    const [used, unused] = [await open(), await open()]
    used.ask('/health/quick')
    expect(await Promise.all([used, unused].map(({ closed }) => ends(closed, 10 * idleMs)))).toEqual([
      'closed',
      'closed',
    ])
    expect(used.said()).toContain('at once')
  })

  it('stays while it is used, or while somebody waits on it for an answer', async ({ expect }) => {
    const [used, waiting] = [await open(), await open()]
    waiting.ask('/health/slow')
    for (let time = 0; time < slowMs; time += idleMs / 4) {
      used.ask('/health/quick')
      await sleep(idleMs / 4)
    }
    await expect.poll(waiting.said, { timeout: slowMs }).toContain('at last')
    expect(await ends(Promise.race([used.closed, waiting.closed]), 1)).toBe('open')
    used.socket.destroy()
    waiting.socket.destroy()
  })
})

/** Sends the beginning of a body and then goes on with it, piece by piece, until the connection is closed. */
const post = async (port: number, path: string, { piece = '', everyMs = 10, type = 'application/json' } = {}) => {
  const connection = await open(port)
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 100000\r\n\r\n`
  const beginning = '{"text":"'
  connection.socket.write(head + beginning)
  let [isOpen, sent] = [true, 0]
  void connection.closed.then(() => {
    isOpen = false
  })
  const sending = (async () => {
    while (isOpen && piece !== '') {
      await sleep(everyMs)
      if (!connection.socket.writable || sent + piece.length > 99_000) return
      connection.socket.write(piece)
      sent += piece.length
    }
  })()
  /** Sends the rest at once. */
  const finish = async (): Promise<void> => {
    isOpen = false
    await sending
    connection.socket.write('y'.repeat(100_000 - beginning.length - sent))
  }
  return { ...connection, finish }
}
const isTimedOut = async ({ closed, said }: Awaited<ReturnType<typeof open>>) => {
  await closed
  expect(said()).toMatch(/^HTTP\/1.1 408 Request Timeout/)
  expect(said()).toContain('"code":"request_timeout"')
}

describe.concurrent('a request that does not arrive', () => {
  it('is refused when its headers stop half-way', async () => {
    const connection = await open(await startServer({ requestMs }))
    connection.socket.write('GET /health/quick HTTP/1.1\r\nhost: x\r\nx-more: ')
    await isTimedOut(connection)
  })

  it('is refused when its body stops half-way, or comes byte by byte', async () => {
    const port = await startServer({ requestMs })
    const late = [
      await post(port, '/health/body'),
      await post(port, '/health/body', { piece: 'x', everyMs: 20 }),
      await post(port, '/health/stream', { type: 'text/plain' }),
    ]
    await Promise.all(late.map(isTimedOut))
  })

  it('may take as long as it needs where it is a stream, while another body may not', async ({ expect }) => {
    const port = await startServer({ requestMs })
    const piece = 'x'.repeat(400)
    const steady = await post(port, '/health/stream', { piece, type: 'text/plain' })
    await isTimedOut(await post(port, '/health/body', { piece }))
    expect(steady.socket.closed).toBe(false)
    await steady.finish()
    await expect.poll(steady.said).toContain('read 100000')
    steady.socket.destroy()
  })

  it('is not the sender who is slow where nobody reads', async () => {
    let read = (): void => undefined
    const reading = new Promise<void>((resolve) => {
      read = resolve
    })
    const port = await startServer({ requestMs }, () => reading)
    const waiting = await post(port, '/health/stream', { type: 'text/plain' })
    const stopped = await post(port, '/health/body')
    await isTimedOut(stopped)
    await sleep(3 * requestMs)
    expect(waiting.socket.closed).toBe(false)
    read()
    await isTimedOut(waiting)
  })

  it('is not read for long after it was refused', async () => {
    const refused = await post(await startServer({ requestMs }), '/health/body', {
      piece: 'x'.repeat(400),
      type: 'text/xml',
    })
    await refused.closed
    expect(refused.said()).toMatch(/^HTTP\/1.1 415 /)
  })

  it('is one of so many that an address may have at once', async () => {
    const port = await startServer({ requestMs, slowRequestsPerAddress: 2 })
    const slow = { piece: 'x'.repeat(400), type: 'text/plain' }
    const [first, second] = [await post(port, '/health/stream', slow), await post(port, '/health/stream', slow)]
    await isTimedOut(await post(port, '/health/stream', slow))
    expect([first.socket.closed, second.socket.closed]).toEqual([false, false])
    for (const { socket } of [first, second]) socket.destroy()
  })
})

it('stops though somebody holds a connection on which they never said a word', async () => {
  const app = await testApp()
  const silent = connect(Number(new URL(app.url).port), '127.0.0.1')
  await once(silent, 'connect')
  expect((await app.anonymous.get('/health')).status).toBe(200)
  const closed = once(silent, 'close')
  silent.resume()
  await app.stop()
  await closed
})

it('answers what comes on a connection that is busy while the server closes', async () => {
  const connection = await open(await startServer({}))
  connection.ask('/health/slow')
  await sleep(idleMs / 4)
  const closing = servers.at(-1)?.close()
  connection.ask('/health/quick')
  await closing
  expect(await connection.closed).toBe('closed')
  expect(connection.said()).toContain('at once')
  expect(connection.said()).not.toContain('503')
})
