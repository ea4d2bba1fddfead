/**
 * Listens for sockets on the HTTP server, and loads Socket.IO when the first one knocks: as a websocket, or by polling,
 * with which clients begin unless they are told otherwise. Other requests that offer an upgrade (curl offers HTTP/2 so)
 * are ordinary requests and go on as such.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { socketPath } from '@chancery/contract/chat-events.ts'
import type { SocketServer } from './socket-server.ts'

interface FrontDoor {
  attach(server: Server): void
  /** Lets nobody in any more and ends every connection soon, whether the client agrees or not. */
  close(): void
}

/** Time for the farewell to reach clients that listen. */
const farewellMs = 300

const isOurs = ({ url = '' }: IncomingMessage): boolean =>
  url.startsWith(socketPath) && /^\/?(\?|$)/.test(url.slice(socketPath.length))

interface Options {
  load(): Promise<SocketServer>
  /** What to do with a promise nobody waits for. */
  run(work: () => Promise<unknown>): void
}

export const createFrontDoor = ({ load, run }: Options): FrontDoor => {
  const open = new Set<Duplex>()
  let loading: Promise<SocketServer> | undefined
  let isClosed = false

  const bring = (socket: Duplex, hand: (sockets: SocketServer) => void): void => {
    loading ??= load()
    const loaded = loading
    run(async () => {
      try {
        const sockets = await loaded
        if (isClosed || socket.destroyed) socket.destroy()
        else hand(sockets)
      } catch (problem) {
        // The next one tries again.
        loading = undefined
        socket.destroy()
        throw problem
      }
    })
  }
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // Until Socket.IO has taken it over, a reset of the connection would otherwise be nobody's and end the process.
    socket.on('error', () => socket.destroy())
    if (isClosed) {
      socket.destroy()
      return
    }
    bring(socket, (sockets) => sockets.take(request, socket, head))
  }
  const onRequest = (request: IncomingMessage, reply: ServerResponse): void => {
    if (isClosed) request.socket.destroy()
    else bring(request.socket, (sockets) => sockets.answer(request, reply))
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
      }, farewellMs)
    },
  }
}
