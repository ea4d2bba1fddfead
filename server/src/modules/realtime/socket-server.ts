/** The Socket.IO server. Loaded with the first connection: a house without sockets does not pay for it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { socketPath } from '@chancery/contract/chat-events.ts'
import { Server, type Socket } from 'socket.io'
import { AppError } from '#kernel/errors.ts'
import { type Admitted, admitSocket } from './admit.ts'
import type { Connection, Connections } from './connections.ts'
import type { RealtimeContext } from './context.ts'
import { dismiss, sever } from './cut.ts'
import { watchWaiting } from './deliver.ts'
import { createFlood } from './flood.ts'

export interface SocketServer {
  /** Takes an HTTP request that asks for a websocket at our path. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Answers an HTTP request of a client that polls. */
  answer(request: IncomingMessage, reply: ServerResponse): void
  close(): Promise<void>
}

type Arrival = Socket<never, never, never, { admitted?: Admitted }>

export const createSocketServer = (context: RealtimeContext, connections: Connections): SocketServer => {
  // Socket.IO wants a server to listen on; this one never listens, so that every other request stays as fast as it was.
  const io = new Server(createServer(), {
    path: socketPath,
    transports: ['polling', 'websocket'],
    serveClient: false,
    maxHttpBufferSize: 1_000_000,
    connectTimeout: 10_000,
  })
  io.engine.on('connection', refuseFloods)
  io.use((socket: Arrival, next) => {
    admitSocket(context, socket.handshake).then(
      (admitted) => {
        socket.data.admitted = admitted
        next()
      },
      (problem: unknown) => next(refusal(context, problem)),
    )
  })
  io.on('connection', (socket: Arrival) => {
    const { admitted } = socket.data
    delete socket.data.admitted
    if (admitted) welcome({ context, connections, socket: socket as Socket, admitted })
  })
  return {
    take: (request, socket, head) => io.engine.handleUpgrade(request, socket, head),
    answer: (request, reply) => io.engine.handleRequest(request, reply),
    close: () => io.close(),
  }
}

/** From the first byte on, before anybody has said who they are. Nobody here sends binary data. */
const refuseFloods = (conn: Socket['conn']): void => {
  const flood = createFlood()
  conn.on('packet', ({ data = '' }: { data?: unknown }) => {
    const isPlain = typeof data === 'string'
    if (!isPlain || !flood.admits(data.length, performance.now())) sever(conn)
  })
}

const refusal = ({ log }: RealtimeContext, problem: unknown): Error => {
  const known = problem instanceof AppError ? problem : new AppError('internal_error')
  if (known !== problem) log.error({ err: problem }, 'A socket could not be admitted.')
  return Object.assign(new Error(known.message), { data: { code: known.code } })
}

interface Arrived {
  context: RealtimeContext
  connections: Connections
  socket: Socket
  admitted: Admitted
}

const welcome = ({ context, connections, socket, admitted }: Arrived): void => {
  const { actor, token, sessionId } = admitted
  const { id: userId, role, organizationId } = actor
  const connection: Connection = {
    ...{ socket, userId, sessionId, token, role, organizationId },
    ...{ waiting: 0, unanswered: new Set() },
  }
  watchWaiting(connection)
  socket.on('disconnect', () => {
    connections.remove(connection)
    for (const leave of connection.unanswered) leave()
  })
  socket.on('user-join', (...given: unknown[]) => {
    const acknowledge = given.at(-1)
    if (typeof acknowledge !== 'function') return
    context.tasks.run('realtime.user-join', async () => {
      const now = await context.authenticate(token)
      if (now) acknowledge({ id: now.id, name: now.name })
    })
  })
  socket.on('heartbeat', (...given: unknown[]) => {
    const acknowledge = given.at(-1)
    if (typeof acknowledge === 'function') acknowledge()
  })
  const surplus = connections.add(connection)
  if (surplus) dismiss(surplus.socket)
}
