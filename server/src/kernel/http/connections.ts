/**
 * Closes connections that nobody uses. Node would set a timer at the end of every reply and clear it with the next
 * request, a twentieth of what a small request costs; one look at all of them now and then is enough. Sockets that
 * Socket.IO has taken over are never quiet for so long: it beats every 25 s. When the server stops, also those are closed
 * on which nothing was ever said: browsers and pools open some in advance, Node takes them for busy ones, and a stop
 * would wait a minute for requests that never come.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Longer than the usual proxies keep theirs (nginx one minute, Traefik one and a half, Caddy two): they shall close. */
const usualPatienceMs = 150_000
const looksPerPatience = 10

interface Connection {
  /** The last reply on it. */
  reply: ServerResponse | undefined
  /** How much had been said at the last look, and for how many looks that has been all. */
  bytesRead: number
  quietLooks: number
}

const isAnswering = ({ reply }: Connection): boolean =>
  reply !== undefined && !reply.writableFinished && !reply.destroyed

export const tendConnections = (server: FastifyInstance, patienceMs = usualPatienceMs): void => {
  const open = new Map<Socket, Connection>()
  server.server.keepAliveTimeout = 0
  server.server.on('connection', (socket: Socket) => {
    open.set(socket, { reply: undefined, bytesRead: 0, quietLooks: 0 })
    socket.once('close', () => open.delete(socket))
  })
  server.addHook('onRequest', (request, reply, done) => {
    const connection = open.get(request.raw.socket)
    if (connection) connection.reply = reply.raw
    done()
  })
  const look = (): void => {
    for (const [socket, connection] of open) {
      const isQuiet = socket.bytesRead === connection.bytesRead && !isAnswering(connection)
      connection.bytesRead = socket.bytesRead
      connection.quietLooks = isQuiet ? connection.quietLooks + 1 : 0
      if (connection.quietLooks > looksPerPatience) socket.destroy()
    }
  }
  const looking = setInterval(look, patienceMs / looksPerPatience).unref()
  server.addHook('preClose', async () => {
    clearInterval(looking)
    for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
  })
}
