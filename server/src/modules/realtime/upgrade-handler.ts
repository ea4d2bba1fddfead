/**
 * Routes socket requests of the HTTP server to Socket.IO, which is loaded with the first one: a websocket upgrade or a
 * polling request. Other requests that offer an upgrade (curl offers HTTP/2) are handled as ordinary requests.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { socketPath } from '@chancery/contract/chats/events.ts'
import { takeOverConnection } from '#kernel/http/connections.ts'
import { passOnRequest, passOnUpgrade, type SessionsElsewhere } from './sessions-elsewhere.ts'
import type { SocketServer } from './socket-server.ts'

interface UpgradeHandler {
  attach(server: Server): void
  /** Refuses new connections and ends the open ones after a short grace period. */
  close(): void
}

/** Time for the disconnect message to reach clients. */
const graceMs = 300

const isOurs = ({ url = '' }: IncomingMessage): boolean =>
  url.startsWith(socketPath) && /^\/?(\?|$)/.test(url.slice(socketPath.length))

interface Options {
  load(): Promise<SocketServer>
  /** The sessions of other servers of this machine. */
  elsewhere?: Pick<SessionsElsewhere, 'ownerOf'> | undefined
  /** Supervises background work. */
  run(work: () => Promise<unknown>): void
}

export const createUpgradeHandler = ({ load, elsewhere, run }: Options): UpgradeHandler => {
  const open = new Set<Duplex>()
  let loading: Promise<SocketServer> | undefined
  let isClosed = false

  const withServer = (socket: Duplex, handle: (sockets: SocketServer) => void): void => {
    loading ??= load()
    const loaded = loading
    run(async () => {
      try {
        const sockets = await loaded
        if (isClosed || socket.destroyed) socket.destroy()
        else handle(sockets)
      } catch (problem) {
        // The next connection tries to load it again.
        loading = undefined
        socket.destroy()
        throw problem
      }
    })
  }
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    takeOverConnection(request)
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // Until Socket.IO handles the socket, a connection reset would be an unhandled error and end the process.
    socket.on('error', () => socket.destroy())
    if (isClosed) {
      socket.destroy()
      return
    }
    const owner = elsewhere?.ownerOf(request)
    if (owner !== undefined) passOnUpgrade(owner, request, { socket, head })
    else withServer(socket, (sockets) => sockets.take(request, socket, head))
  }
  const onRequest = (request: IncomingMessage, reply: ServerResponse): void => {
    takeOverConnection(request)
    const owner = elsewhere?.ownerOf(request)
    if (isClosed) request.socket.destroy()
    else if (owner !== undefined) passOnRequest(owner, request, reply)
    else withServer(request.socket, (sockets) => sockets.answer(request, reply))
  }
  return {
    attach: (server) => {
      Object.assign(server, { shouldUpgradeCallback: isOurs })
      server.on('upgrade', onUpgrade)
      const others = server.listeners('request')
      server.removeAllListeners('request')
      server.on('request', (request, reply) => {
        if (isOurs(request)) onRequest(request, reply)
        else for (const listener of others) listener.call(server, request, reply)
      })
    },
    close: () => {
      isClosed = true
      run(async () => (await loading)?.close())
      setTimeout(() => {
        for (const socket of open) socket.destroy()
      }, graceMs)
    },
  }
}
