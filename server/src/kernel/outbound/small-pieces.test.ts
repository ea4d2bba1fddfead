/** Servers that send their reply a byte at a time: slow for who asked, and for nobody else. */
import type { Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { startRawSite } from '#test/peers/site.ts'
import { createOutbound } from './outbound.ts'
import { ReplyBody } from './reply-body.ts'

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const chunk = '1\r\n0\r\n'

const reach = async (talk: (socket: Socket) => void) => {
  const site = await startRawSite((socket) => socket.once('data', () => talk(socket)))
  const outbound = createOutbound({ allowedHosts: [`127.0.0.1:${site.port}`], log: createLog('silent') })
  onTestFinished(async () => {
    await outbound.close()
    await site.close()
  })
  return outbound.fetch(`${site.origin}/`, {})
}

it.each<[string, (reply: Awaited<ReturnType<typeof reach>>) => Promise<number>]>([
  ['collects', async (reply) => (await reply.bytes()).length],
  [
    'streams',
    async (reply) => {
      let length = 0
      for await (const piece of reply.body) length += (piece as Buffer).length
      return length
    },
  ],
])('a reply of 300,000 pieces reaches who %s it whole', async (_name, read) => {
  const bytes = 300_000
  expect(await read(await reach((socket) => socket.end(`${head}${chunk.repeat(bytes)}0\r\n\r\n`)))).toBe(bytes)
})

it('a socket that never falls silent is paused, and resumed in a later turn for a reader that wants more', async () => {
  const resumed = Promise.withResolvers<string>()
  const controller = { resume: () => resumed.resolve('resumed'), abort: () => undefined }
  const body = new ReplyBody({
    controller: controller as never,
    maxBytes: Number.POSITIVE_INFINITY,
    explain: () => new Error(),
  })
  let taken = 0
  body.pipeTo({
    take: (piece) => {
      taken += piece.length
      // As readers do that take one piece at a time.
      body.pause()
      body.resume()
    },
    end: () => undefined,
    fail: () => undefined,
  })
  const piece = Buffer.from('0')
  const most = 20_000_000
  while (taken < most && body.accept(piece));
  expect(taken).toBeLessThan(most)
  body.resume()
  expect(await Promise.race([resumed.promise, 'not yet'])).toBe('not yet')
  expect(await resumed.promise).toBe('resumed')
})
