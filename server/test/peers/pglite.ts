/**
 * A PostgreSQL with pgvector: PGlite, in this process, behind the wire protocol, so that our own pool and migrations run
 * on it. It has one session, whatever connects: use a pool of one connection.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'

export const startPglite = async () => {
  const pglite = await PGlite.create({ extensions: { vector } })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    answer(pglite, socket)
      .catch(() => undefined)
      .finally(() => {
        sockets.delete(socket)
        socket.destroy()
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await pglite.close()
    },
  }
}

/** Message by message, as they become complete. */
const answer = async (pglite: PGlite, socket: Socket): Promise<void> => {
  let waiting = Buffer.alloc(0)
  let hasStarted = false
  for await (const bytes of socket) {
    waiting = Buffer.concat([waiting, bytes])
    for (;;) {
      // The first message has no letter for its kind.
      const before = hasStarted ? 1 : 0
      const length = waiting.length < before + 4 ? Infinity : before + waiting.readInt32BE(before)
      if (waiting.length < length) break
      socket.write(await pglite.execProtocolRaw(waiting.subarray(0, length)))
      waiting = waiting.subarray(length)
      hasStarted = true
    }
  }
}
