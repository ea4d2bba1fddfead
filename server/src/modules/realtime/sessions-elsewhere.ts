/**
 * A client that polls sends each request of its session over whichever connection is free, and each may reach another
 * server of the machine. The id of a session says whose it is, and requests of others' are passed on over a socket file in
 * the folder that the servers share.
 */
import { randomBytes } from 'node:crypto'
import { request as ask, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { SocketServer } from './socket-server.ts'

export interface SessionsElsewhere {
  /** Of a new session here. */
  nextId(): string
  /** Takes what other servers pass on. */
  serve(sockets: SocketServer): void
  /** The socket file of the server whose session this is; undefined for a new one and for our own. */
  ownerOf(request: IncomingMessage): string | undefined
  close(): void
}

/** `<server>.<random>`. A client may send anything, and this becomes a part of a path. */
const sessionId = /[?&]sid=([\w-]{11})\.[\w-]{20}(?:&|$)/

export const createSessionsElsewhere = (folder: string): SessionsElsewhere => {
  const own = randomBytes(8).toString('base64url')
  let server: Server | undefined
  return {
    nextId: () => `${own}.${randomBytes(15).toString('base64url')}`,
    serve: (sockets) => {
      server = createServer((request, reply) => sockets.answer(request, reply))
      server.on('upgrade', (request, socket, head) => sockets.take(request, socket, head))
      // For this process alone: the port of the machine is shared.
      server.listen({ path: join(folder, own), exclusive: true }).unref()
    },
    ownerOf: ({ url = '' }) => {
      const owner = sessionId.exec(url)?.[1]
      return owner === undefined || owner === own ? undefined : join(folder, owner)
    },
    close: () => server?.close(),
  }
}

/** About a connection and not about what is said over it. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding'])

export const passOnRequest = (owner: string, request: IncomingMessage, reply: ServerResponse): void => {
  const { method, url, headers } = request
  const passed = ask({ socketPath: owner, method, path: url, headers, agent: false }, (answer) => {
    const told = Object.entries(answer.headers).filter(([name]) => !ofConnection.has(name))
    reply.writeHead(answer.statusCode ?? 502, Object.fromEntries(told))
    answer.pipe(reply)
  })
  // The server that had the session is gone. Socket.IO says the same of one that it doesn't know, and the client begins anew.
  passed.on('error', () => {
    if (reply.headersSent) return reply.destroy()
    reply.writeHead(400, { 'content-type': 'application/json' }).end('{"code":1,"message":"Session ID unknown"}')
  })
  reply.on('close', () => passed.destroy())
  request.pipe(passed)
}

/** A session that began by polling becomes a websocket. */
export const passOnUpgrade = (
  owner: string,
  request: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
) => {
  const { method, url, rawHeaders } = request
  const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
  const there = connect(owner)
  there.write([`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1')
  there.write(head)
  for (const [one, other] of [
    [socket, there],
    [there, socket],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
    one.pipe(other)
  }
}
