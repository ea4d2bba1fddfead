import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { readConfig } from '#kernel/config/config.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLimits } from '#kernel/limits/limits.ts'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { route } from './route.ts'
import { createHttpServer } from './server.ts'

const log = createLog('silent')
const patienceMs = 500
const slowMs = 4 * patienceMs
const server = await createHttpServer({
  ...{ log, ids: systemIds, limits: await createLimits({ clock: systemClock, log }), config: readConfig({}) },
  ...{ webDir: '/nowhere', externalUrl: undefined, authenticate: () => undefined, connectionPatienceMs: patienceMs },
  routes: [
    route({
      ...{ method: 'GET', path: '/health/slow', access: 'public', summary: 'For this test.', reply: 'raw' },
      handle: async () => {
        await sleep(slowMs)
        return { body: 'at last' }
      },
    }),
    route({
      ...{ method: 'GET', path: '/health/quick', access: 'public', summary: 'For this test.', reply: 'raw' },
      handle: async () => ({ body: 'at once' }),
    }),
  ],
})
const port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port)
afterAll(() => server.close())

const open = async () => {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  const closed = once(socket, 'close').then(() => 'closed')
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

describe('a connection', () => {
  it('is closed when nobody has used it for a while', async () => {
    const { closed, ask, said } = await open()
    ask('/health/quick')
    expect(await ends(closed, 10 * patienceMs)).toBe('closed')
    expect(said()).toContain('at once')
    expect(await ends((await open()).closed, 10 * patienceMs)).toBe('closed')
  })

  it('stays while it is used, or while somebody waits on it for an answer', async () => {
    const [used, waiting] = [await open(), await open()]
    waiting.ask('/health/slow')
    for (let time = 0; time < slowMs; time += patienceMs / 4) {
      used.ask('/health/quick')
      await sleep(patienceMs / 4)
    }
    await expect.poll(waiting.said, { timeout: slowMs }).toContain('at last')
    expect(await ends(Promise.race([used.closed, waiting.closed]), 1)).toBe('open')
    used.socket.destroy()
    waiting.socket.destroy()
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
