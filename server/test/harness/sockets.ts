/** Sockets of people, and a bare node whose sending side a test can call directly. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { socketPath } from '@chancery/contract/chats/events.ts'
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import { afterEach } from 'vitest'
import { createRealtime } from '#modules/realtime/index.ts'
import type { TestApp } from './app.ts'
import { atEnd } from './at-end.ts'
import { createNode } from './node.ts'

type Options = Partial<ManagerOptions & SocketOptions>

/** `connect` resolves once the server accepts it, or rejects with what the server said. All end after each test. */
export const createSockets = (url: string) => {
  const opened: Socket[] = []
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.disconnect()
  })
  const open = (options: Options): Socket => {
    const usual = { path: socketPath, transports: ['websocket'], reconnection: false, forceNew: true }
    const socket = io(url, { ...usual, ...options })
    opened.push(socket)
    return socket
  }
  const connect = (options: Options): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = open(options)
      socket.once('connect', () => resolve(socket))
      socket.once('connect_error', reject)
    })
  return { open, connect, connectAs: (person: { token: string }) => connect({ auth: { token: person.token } }) }
}

/** A node on the app's database with sockets and nothing else; it tells which `realtime` the sockets hang on. */
export const startSocketNode = async (
  app: TestApp,
  env: Record<string, string> = {},
  /** Without it only signals tell the node that somebody's rights have changed. */
  { hasTimer = true }: { hasTimer?: boolean } = {},
) => {
  const node = await createNode(app, env)
  const realtime = createRealtime(node)
  const server = createServer((_request, reply) => reply.end('an ordinary reply'))
  realtime.attach?.(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await node.start(hasTimer ? realtime : { routes: [] })

  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= node.stop(realtime, () => new Promise((resolve) => server.close(resolve)))
    return stopped
  }
  atEnd(stop)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { realtime, url, stop, ...createSockets(url) }
}
