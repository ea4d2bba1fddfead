/**
 * Closes connections on which nothing was ever said when the server stops. Browsers and pools open some in advance; Node
 * takes them for busy ones, and a stop would wait a minute for requests that never come.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export const closeSilentConnections = (server: FastifyInstance): void => {
  const open = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.addHook('preClose', async () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  })
}
