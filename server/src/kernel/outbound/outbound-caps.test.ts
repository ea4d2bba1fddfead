import type { Socket } from 'node:net'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { type Answer, type Site, startRawSite, startSite } from '#test/peers/site.ts'
import type { OutboundRequest } from './fetch-through.ts'
import { createOutbound, type Outbound, type OutboundOptions } from './outbound.ts'

const log = createLog('silent')
const megabyte = 1024 * 1024
let cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(cleanups.map((clean) => clean()))
  cleanups = []
})

const open = (allowedHosts: string[], options: Partial<OutboundOptions> = {}): Outbound => {
  const outbound = createOutbound({ allowedHosts, log, ...options })
  cleanups.push(() => outbound.close())
  return outbound
}

const reach = (site: Site, request: OutboundRequest = {}, path = '/') => {
  cleanups.push(() => site.close())
  return open([`127.0.0.1:${site.port}`]).fetch(`${site.origin}${path}`, request)
}

const fetchFrom = async (answer: Answer, request?: OutboundRequest) => reach(await startSite(answer), request)
const fetchRaw = async (talk: (socket: Socket) => void, request?: OutboundRequest) =>
  reach(await startRawSite((socket) => socket.once('data', () => talk(socket))), request)

const code = (expected: string) => expect.objectContaining({ name: 'AppError', code: expected })

/** Writes the same bytes for as long as the other side takes them. */
const writeForever = (socket: Socket, bytes: string | Buffer) => {
  const write = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('drain', write)
  write()
}

describe('the size of a reply', () => {
  it('is refused at its head when it is announced too large', async () => {
    await expect(
      fetchFrom((_request, response) => response.writeHead(200, { 'content-length': 10 * 1024 ** 3 }).write('x'), {
        maxBytes: megabyte,
      }),
    ).rejects.toThrowError(code('outbound_too_large'))
  })

  it('is cut while it streams, when it was not announced', async () => {
    const reply = await fetchRaw(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        writeForever(socket, Buffer.alloc(65_536))
      },
      { maxBytes: megabyte },
    )
    let received = 0
    const read = async () => {
      for await (const chunk of reply.body) received += (chunk as Buffer).length
    }
    await expect(read()).rejects.toThrowError(code('outbound_too_large'))
    expect(received).toBeLessThanOrEqual(megabyte)
  })

  it('may be exactly the cap', async () => {
    const reply = await fetchFrom((_request, response) => response.end('12345'), { maxBytes: 5 })
    expect(await reply.text()).toBe('12345')
  })

  const zeros = Buffer.alloc(4 * megabyte)
  it.each([
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['deflate', deflateSync(zeros)],
  ])('counts what %s unfolds to', async (encoding, bomb) => {
    const answer: Answer = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb)
    const reply = await fetchFrom(answer, { maxBytes: megabyte })
    await expect(reply.bytes()).rejects.toThrowError(code('outbound_too_large'))
  })

  it('counts compressed bytes that unfold to nothing', async () => {
    const emptyBlock = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff])
    const reply = await fetchRaw(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n')
        socket.write(gzipSync('').subarray(0, 10))
        writeForever(socket, Buffer.concat(Array.from({ length: 10_000 }, () => emptyBlock)))
      },
      { maxBytes: megabyte },
    )
    await expect(reply.bytes()).rejects.toThrowError(code('outbound_too_large'))
  })

  it('is capped in memory even for a caller who set no cap', async () => {
    const reply = await fetchRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      writeForever(socket, Buffer.alloc(megabyte))
    })
    await expect(reply.text()).rejects.toThrowError(code('outbound_too_large'))
  })

  it.each([
    ['many headers', (socket: Socket) => writeForever(socket, 'x-more: and more\r\n')],
    ['one endless header', (socket: Socket) => writeForever(socket, 'x'.repeat(1000))],
  ])('covers %s', async (_name, flood) => {
    await expect(
      fetchRaw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-first: ')
        flood(socket)
      }),
    ).rejects.toThrowError(code('outbound_too_large'))
  })

  it('does not count the body that a HEAD reply only describes', async () => {
    const reply = await fetchFrom(
      (_request, response) => response.writeHead(200, { 'content-length': megabyte, 'content-encoding': 'gzip' }).end(),
      { method: 'HEAD', maxBytes: 10 },
    )
    expect(reply.headers.get('content-length')).toBe(String(megabyte))
    expect(await reply.text()).toBe('')
  })
})

describe('the time of a reply', () => {
  const timedOut = code('outbound_timeout')

  it('ends when no header comes', async () => {
    await expect(fetchRaw(() => undefined, { firstByteMs: 50 })).rejects.toThrowError(timedOut)
  })

  it('ends when headers drip without an end', async () => {
    await expect(
      fetchRaw(
        (socket) => {
          const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5)
          socket.on('close', () => clearInterval(drip))
        },
        { firstByteMs: 50 },
      ),
    ).rejects.toThrowError(timedOut)
  })

  it('ends when the resolver never answers', async () => {
    const silent = () => new Promise<string[]>(() => undefined)
    const outbound = open([], { lookup: silent })
    await expect(outbound.fetch('http://slow.example/', { firstByteMs: 50 })).rejects.toThrowError(timedOut)
  })

  it('ends when the body falls silent', async () => {
    const reply = await fetchFrom((_request, response) => response.write('first'), { idleMs: 50 })
    await expect(reply.text()).rejects.toThrowError(timedOut)
  })

  it('ends when a dripping body outlives its total time', async () => {
    const reply = await fetchFrom(
      (_request, response) => {
        const drip = setInterval(() => response.write('.'), 5)
        response.on('close', () => clearInterval(drip))
      },
      { totalMs: 100 },
    )
    await expect(reply.text()).rejects.toThrowError(timedOut)
  })
})

describe('an endless stream of events', () => {
  const events =
    (count: number): Answer =>
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let event = 0; event < count; event++) response.write(`data: ${event}\n\n`)
    }

  it('arrives while it is sent, uncompressed, and stops when the reader stops', async () => {
    const closed = Promise.withResolvers<void>()
    const site = await startSite((request, response) => {
      response.on('close', () => closed.resolve())
      expect(request.headers['accept-encoding']).toBe('identity')
      events(3)(request, response)
    })
    const reply = await reach(site)

    let text = ''
    for await (const chunk of reply.body) {
      text += String(chunk)
      if (text.endsWith('data: 2\n\n')) break
    }

    expect(text).toBe('data: 0\n\ndata: 1\n\ndata: 2\n\n')
    await closed.promise
  })

  it('arrives event by event when the server compresses it all the same', async () => {
    const reply = await fetchFrom((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      const zip = createGzip()
      zip.pipe(response)
      zip.write('data: first\n\n')
      zip.flush()
    })
    for await (const chunk of reply.body) {
      expect(String(chunk)).toBe('data: first\n\n')
      break
    }
  })

  it('ends with the reason of the caller who aborts it', async () => {
    const stop = new AbortController()
    const reason = new Error('the person pressed stop')
    const reply = await fetchFrom(events(1), { signal: stop.signal })
    const reading = reply.text()
    stop.abort(reason)
    await expect(reading).rejects.toBe(reason)
  })

  it('ends for its reader when it is discarded', async () => {
    const reply = await fetchFrom(events(1))
    const read: string[] = []
    const reading = (async () => {
      for await (const chunk of reply.body) {
        read.push(String(chunk))
        reply.discard()
      }
    })()
    await reading.catch(() => undefined)
    expect(read).toHaveLength(1)
  })

  it('is not even begun for a caller who has aborted already', async () => {
    const site = await startSite(events(1))
    const reason = new Error('too late')
    await expect(reach(site, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(site.connections()).toBe(0)
  })
})

describe('a reply that is broken', () => {
  const failed = code('outbound_failed')

  it('fails when the connection is cut in the middle of the body', async () => {
    const reply = await fetchRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')
      setImmediate(() => socket.destroy())
    })
    await expect(reply.text()).rejects.toThrowError(failed)
  })

  it('fails quietly while nobody reads it, and explains itself to who reads it later', async () => {
    const site = await startRawSite((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () => socket.destroy()),
      )
    })
    const reply = await reach(site)
    await new Promise((resolve) => reply.body.once('close', resolve))
    await expect(reply.text()).rejects.toThrowError(failed)
  })

  it.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['an unknown encoding', 'HTTP/1.1 200 OK\r\ncontent-encoding: rot13\r\n\r\nab'],
    ['an encoding in an encoding', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip, gzip\r\n\r\nab'],
  ])('fails when it is %s', async (_name, bytes) => {
    await expect(fetchRaw((socket) => socket.end(bytes))).rejects.toThrowError(failed)
  })

  it.each([
    ['cut', gzipSync('a long enough text').subarray(0, 20)],
    ['no gzip at all', Buffer.from('plain')],
  ])('fails when its compressed body is %s', async (_name, body) => {
    const reply = await fetchFrom((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
    )
    await expect(reply.text()).rejects.toThrowError(failed)
  })

  it('fails as JSON when it is none', async () => {
    const reply = await fetchFrom((_request, response) => response.end('<html>'))
    await expect(reply.json()).rejects.toThrowError(failed)
  })

  it('fails when nobody listens, without naming the address', async () => {
    const site = await startSite(() => undefined)
    await site.close()
    const outbound = open([`127.0.0.1:${site.port}`])
    await expect(outbound.fetch(`${site.origin}/`)).rejects.toThrowError(
      expect.objectContaining({ code: 'outbound_failed', message: "Couldn't reach the other server." }),
    )
  })
})

describe('a request', () => {
  const echo: Answer = ({ method, headers, body }, response) => response.end(JSON.stringify({ method, headers, body }))

  it('carries its method, body and headers, but never a foreign host', async () => {
    const reply = await fetchFrom(echo, {
      method: 'PUT',
      body: '{"a":1}',
      headers: { 'Content-Type': 'application/json', Host: 'other.example', Connection: 'upgrade', Upgrade: 'h2c' },
      maxBytes: megabyte,
    })
    const seen = await reply.json()
    expect(seen).toMatchObject({
      method: 'PUT',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json', 'user-agent': 'Chancery', 'accept-encoding': 'gzip, br' },
    })
    expect(JSON.stringify(seen)).not.toMatch(/other\.example|h2c/)
  })

  it.each(['a\r\nx-injected: 1', 'a\0b', 'a\nb'])('refuses the header value %j', async (value) => {
    const site = await startSite(echo)
    await expect(reach(site, { headers: { 'x-name': value } })).rejects.toThrowError(code('invalid_request'))
    expect(site.requests).toEqual([])
  })

  it('reads a compressed reply and drops the headers that described the compression', async () => {
    const body = gzipSync('{"answer":42}')
    const reply = await fetchFrom((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body),
    )
    expect([reply.headers.has('content-encoding'), reply.headers.has('content-length')]).toEqual([false, false])
    expect(await reply.json()).toEqual({ answer: 42 })
  })

  it('follows no proxy from the environment', async () => {
    const proxy = await startSite(echo)
    cleanups.push(() => proxy.close())
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.origin
    try {
      expect((await fetchFrom(echo)).status).toBe(200)
      expect(proxy.connections()).toBe(0)
    } finally {
      for (const name of names) delete process.env[name]
    }
  })
})
