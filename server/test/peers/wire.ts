/** A proxy to a server that can be cut or stalled. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Wire {
  /** The port it listens on, on 127.0.0.1. */
  port: number
  /** Ends all connections and refuses new ones. */
  cut(): void
  /** Takes bytes but passes none on, as a network that drops everything. */
  hold(): void
  mend(): void
  /** Existing connections fall silent permanently; new ones pass, to this target if one is given. */
  abandon(next?: Target): void
  close(): Promise<void>
}

type Target = { host: string; port: number } | { path: string }

export const startWire = async (first: Target): Promise<Wire> => {
  const sockets = new Set<Socket>()
  const abandoned = new Set<Socket>()
  let target = first
  let state: 'whole' | 'cut' | 'held' = 'whole'

  const join = (near: Socket, far: Socket): void => {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => undefined)
      from.on('data', (bytes) => to.write(bytes))
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (state === 'held') from.pause()
    }
  }
  const server = createServer((near) => {
    if (state === 'cut') near.destroy()
    else join(near, connect(target))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      state = 'cut'
      for (const socket of sockets) socket.destroy()
    },
    hold: () => {
      state = 'held'
      for (const socket of sockets) socket.pause()
    },
    mend: () => {
      state = 'whole'
      for (const socket of sockets) if (!abandoned.has(socket)) socket.resume()
    },
    abandon: (next = target) => {
      target = next
      for (const socket of sockets) {
        abandoned.add(socket)
        socket.pause()
      }
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
