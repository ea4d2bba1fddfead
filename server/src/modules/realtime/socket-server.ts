/** The Socket.IO server. Loaded with the first connection, which saves memory where nobody uses sockets. */
import type { EventEmitter } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { socketPath, unwatchMessage, watchMessage } from '@chancery/contract/chats/events.ts'
import { Server, type Socket } from 'socket.io'
import { AppError } from '#kernel/errors.ts'
import { subjectOf } from '#kernel/http/quota-subject.ts'
import { withMark } from '#kernel/loop-watch/mark.ts'
import { type AuthorizedSocket, authorizeSocket } from './authorize-socket.ts'
import type { Connection, Connections } from './connections.ts'
import type { RealtimeContext } from './context.ts'
import { watchWaiting } from './deliver.ts'
import { disconnectClient, terminate } from './disconnect.ts'
import { createPacketLimit } from './packet-limit.ts'
import { socketsQuota } from './quotas.ts'

export interface SocketServer {
  /** Handles a websocket upgrade at our path. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Handles a polling request. */
  answer(request: IncomingMessage, reply: ServerResponse): void
  /** The ids of sessions, instead of Socket.IO's own. */
  nameSessions(nextId: () => string): void
  close(): Promise<void>
}

type NewSocket = Socket<never, never, never, { authorized?: AuthorizedSocket }>

export const createSocketServer = (context: RealtimeContext, connections: Connections): SocketServer => {
  // Socket.IO needs a server. This one never listens, so that other requests do not pass through Socket.IO.
  const io = new Server(createServer(), {
    path: socketPath,
    transports: ['polling', 'websocket'],
    serveClient: false,
    maxHttpBufferSize: 1_000_000,
    connectTimeout: 10_000,
  })
  io.engine.on('connection', limitPackets)
  io.use((socket: NewSocket, next) => {
    authorizeSocket(context, socket.handshake).then(
      (authorized) => {
        socket.data.authorized = authorized
        next()
      },
      (problem: unknown) => next(refusal(context, problem)),
    )
  })
  io.on('connection', (socket: NewSocket) => {
    const { authorized } = socket.data
    delete socket.data.authorized
    if (authorized) openConnection({ context, connections, socket: socket as Socket, authorized })
  })
  return {
    take: (request, socket, head) => io.engine.handleUpgrade(request, socket, head),
    answer: (request, reply) => io.engine.handleRequest(request, reply),
    nameSessions: (nextId) => {
      io.engine.generateId = nextId
    },
    close: () => io.close(),
  }
}

/** Applies from the first byte, before the client is authenticated. No client of ours sends binary data. */
const limitPackets = (conn: Socket['conn']): void => {
  const limit = createPacketLimit()
  conn.on('packet', ({ data = '' }: { data?: unknown }) => {
    const isPlain = typeof data === 'string'
    if (!isPlain || !limit.allows(data.length, performance.now())) terminate(conn)
  })
  const countFrame = (): void => {
    if (!limit.allows(0, performance.now())) terminate(conn)
  }
  // Frames of WebSocket itself, which no client of ours sends: each is answered, and 800,000 of them are 5 MB.
  const watch = (transport: unknown): void => {
    const { socket } = transport as { socket?: EventEmitter }
    socket?.on('ping', countFrame).on('pong', countFrame)
  }
  watch(conn.transport)
  conn.on('upgrade', watch)
}

const refusal = ({ log }: RealtimeContext, problem: unknown): Error => {
  const known = problem instanceof AppError ? problem : new AppError('internal_error')
  if (known !== problem) log.error({ err: problem }, 'A socket could not be authorized.')
  return Object.assign(new Error(known.message), { data: { code: known.code } })
}

interface Opened {
  context: RealtimeContext
  connections: Connections
  socket: Socket
  authorized: AuthorizedSocket
}

const openConnection = ({ context, connections, socket, authorized }: Opened): void => {
  const { actor, token, sessionId } = authorized
  const { kind, id: userId, role, organizationId, credential } = actor
  const connection: Connection = {
    socket,
    userId,
    sessionId,
    credential: { token, actor: { kind, id: userId, role, organizationId, credential } },
    waiting: 0,
    unanswered: new Set(),
    watching: new Map(),
  }
  watchWaiting(connection)
  const mark = { what: 'socket', owner: organizationId ?? userId }
  socket.use((_packet, next) => withMark(mark, next))
  socket.on('disconnect', () => {
    connections.remove(connection)
    context.topics.leave(connection)
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
  socket.on(watchMessage, (request: unknown, ...given: unknown[]) => {
    const acknowledge = given.at(-1)
    context.tasks.run('realtime.watch', async () => {
      const watching = await context.topics.watch(connection, () => context.authenticate(token), request)
      if (typeof acknowledge === 'function') acknowledge({ watching })
    })
  })
  socket.on(unwatchMessage, (request: unknown) => context.topics.unwatch(connection, request))
  const surplus = connections.add(connection, context.quotas.mostOf(socketsQuota, subjectOf(actor)))
  if (surplus) disconnectClient(surplus.socket)
}
