import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { readBody } from './read-body.ts'

const maxBytes = 1000
const open: { server: Server; socket: Socket }[] = []
afterEach(() => {
  for (const { server, socket } of open.splice(0)) {
    socket.destroy()
    server.close()
  }
})

type When = (request: IncomingMessage) => Promise<unknown> | undefined

/** Answers each request with its body, read once `when` says so, and tells what was read. */
const echo = async (when: When = () => undefined, most = maxBytes) => {
  const read: string[] = []
  const server = createServer(async (request, reply) => {
    const wait = when(request)
    if (wait) await wait
    readBody(request, most, (problem, bytes) => {
      read.push(problem ? problem.message : String(bytes))
      reply.writeHead(problem ? 400 : 200, { 'content-length': bytes?.length ?? 0 }).end(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1')
  let replies = ''
  socket.on('data', (piece) => {
    replies += piece
  })
  socket.on('error', () => undefined)
  open.push({ server, socket })
  const answered = async (count: number): Promise<string[]> => {
    await expect.poll(() => replies.split('HTTP/1.1 ').length - 1).toBe(count)
    return replies
      .split('HTTP/1.1 ')
      .slice(1)
      .map((reply) => `${reply.slice(0, 3)} ${reply.split('\r\n\r\n')[1]}`)
  }
  return { socket, read, answered }
}

const post = (body: string, length = body.length) =>
  `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${body}`
/** As if looking the caller up took a while. */
const later: When = () => sleep(30)

it('a body of 200,000 pieces lets others have their turn, and is whole', async () => {
  const bytes = 200_000
  const { socket, read } = await echo(undefined, bytes)
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
  socket.write(`${'1\r\nx\r\n'.repeat(bytes)}0\r\n\r\n${post('next')}`)
  await expect.poll(() => read.length).toBe(2)
  expect([read[0]?.length, read[1]]).toEqual([bytes, 'next'])
})

describe.each([
  ['at once', undefined],
  ['after it has come', later],
])('a body that is read %s', (_name, when) => {
  it('is whole, one after the other on one connection', async () => {
    const { socket, answered } = await echo(when)
    for (const [index, body] of ['first', 'second', 'x'.repeat(maxBytes)].entries()) {
      socket.write(post(body))
      expect((await answered(index + 1)).at(-1)).toBe(`200 ${body}`)
    }
  })

  it('is whole though it comes in pieces, or in chunks', async () => {
    const { socket, answered } = await echo(when)
    for (const piece of post('in many pieces').match(/[\s\S]{1,9}/g) ?? []) {
      socket.write(piece)
      await sleep(2)
    }
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2\r\nin\r\n')
    await sleep(5)
    socket.write('7\r\n chunks\r\n0\r\n\r\n')
    expect(await answered(2)).toEqual(['200 in many pieces', '200 in chunks'])
  })

  it('is its own of several that were sent without waiting', async () => {
    const { socket, answered } = await echo(when)
    socket.write(post('one') + post('two') + post(''))
    expect(await answered(3)).toEqual(['200 one', '200 two', '200 '])
  })

  it('is refused when it is too long, whether it says so before or not', async () => {
    const { socket, answered } = await echo(when)
    socket.write(post('x'.repeat(maxBytes + 1)))
    expect(await answered(1)).toEqual(['400 '])
    const unannounced = await echo(when)
    const chunk = `3e8\r\n${'x'.repeat(1000)}\r\n`
    unannounced.socket.write(
      `POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${chunk}${chunk}${chunk}0\r\n\r\n`,
    )
    expect(await unannounced.answered(1)).toEqual(['400 '])
    // The rest of it is dropped, and the connection goes on.
    unannounced.socket.write(post('the next'))
    expect((await unannounced.answered(2)).at(-1)).toBe('200 the next')
    expect(unannounced.read).toHaveLength(2)
  })

  it('that breaks off is refused once, and never read as a whole one', async () => {
    const { socket, read } = await echo(when)
    socket.write(post('only half of it', 100))
    await sleep(50)
    socket.destroy()
    await expect.poll(() => read).toEqual([expect.stringContaining('understood')])
  })

  it('that broke off before anybody read it is refused as well', async () => {
    const gone = Promise.withResolvers<void>()
    const { socket, read } = await echo((request) => {
      request.once('close', gone.resolve)
      return gone.promise
    })
    socket.write(post('only half of it', 100))
    await sleep(50)
    socket.destroy()
    await expect.poll(() => read).toEqual([expect.stringContaining('understood')])
  })
})

/** A process of its own: collecting the garbage of a worker, which has the whole server in its heap, takes seconds. */
const collecting = `
  import { once } from 'node:events'
  import { createServer } from 'node:http'
  import { connect } from 'node:net'
  import { setTimeout as sleep } from 'node:timers/promises'
  import { readBody } from ${JSON.stringify(fileURLToPath(new URL('./read-body.ts', import.meta.url)))}
  let last
  const server = createServer(async (request, reply) => {
    if (request.url === '/later') await sleep(30)
    readBody(request, 1000, (_problem, bytes) => {
      last = new WeakRef(bytes)
      reply.end(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect(server.address().port, '127.0.0.1')
  for (const path of ['/at-once', '/later']) {
    socket.write('POST ' + path + ' HTTP/1.1\\r\\nhost: x\\r\\ncontent-length: 900\\r\\n\\r\\n' + 'x'.repeat(900))
    await once(socket, 'data')
    for (let tries = 0; tries < 100 && last.deref(); tries += 1) {
      await sleep(10)
      gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    }
    console.log(path, last.deref() === undefined)
  }
  process.exit()
`

it('a body is let go of once it was answered, though its connection stays', () => {
  const flags = ['--expose-gc', '--input-type=module', '--eval', collecting]
  const said = execFileSync(process.execPath, flags, { encoding: 'utf8' })
  expect(said.trim().split('\n')).toEqual(['/at-once true', '/later true'])
})
