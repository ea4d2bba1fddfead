/** Many people behind one proxy: to us, all their connections come from a single address. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { socketPath } from '@chancery/contract/chats/events.ts'
import { afterAll, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'

const app = await testApp({ patience: { requestMs: 200 } })
const sockets: ReturnType<typeof connect>[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

const open = async () => {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => undefined)
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

const ask = async (query: string, headers: Record<string, string>) => {
  const socket = await open()
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`GET ${socketPath}/?EIO=4&${query} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  const [first] = await once(socket, 'data')
  socket.resume()
  return { socket, first: String(first) }
}

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** A request whose headers stop half-way is checked like the others, and is cut only after many checks. */
const manyChecks = async () => {
  const slow = await open()
  slow.write('GET /health HTTP/1.1\r\nhost: x\r\nx-more: ')
  slow.resume()
  await once(slow, 'close')
}

it('keeps a thousand web sockets from one address, and polling clients beside them', async () => {
  const open100 = (query: string, headers: Record<string, string>) =>
    Promise.all(Array.from({ length: 100 }, () => ask(query, headers)))
  const taken = []
  for (let round = 0; round < 10; round += 1) taken.push(...(await open100('transport=websocket', upgrade)))
  for (let round = 0; round < 3; round += 1)
    taken.push(...(await open100('transport=polling', { connection: 'keep-alive' })))
  expect(new Set(taken.map(({ first }) => first.split('\r\n')[0]))).toEqual(
    new Set(['HTTP/1.1 101 Switching Protocols', 'HTTP/1.1 200 OK']),
  )
  await manyChecks()
  expect(taken.filter(({ socket }) => socket.closed || socket.readableEnded)).toHaveLength(0)
})
