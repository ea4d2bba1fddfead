/**
 * Closes connections that nobody uses, and those whose request does not arrive. Node could do it with timers, which cost
 * a twentieth of a small request; checking all connections every few seconds is enough.
 *
 * - Unused: closed after a while. Socket.IO's connections are never quiet that long, since they have a heartbeat.
 * - Headers: Node's own `headersTimeout`, set where the server is created.
 * - Bodies: at least a kilobyte a second, measured over `requestMs`, so that an upload may take as long as it needs.
 *   Other bodies must also be complete within ten times that. Only the sender's slowness counts, not ours.
 * - Per address: so many slow requests at once, so that a single client cannot hold thousands of connections.
 *
 * Clients that do not read their reply are cut by `raw-reply.ts`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { addressBucket } from './gate/rate-limit.ts'
import { refuseOnSocket } from './replies/error-reply.ts'

export interface Patience {
  /** Longer than common proxies keep theirs (nginx one minute, Traefik one and a half, Caddy two): they should close. */
  idleMs: number
  requestMs: number
  slowRequestsPerAddress: number
}

export const usualPatience: Patience = { idleMs: 150_000, requestMs: 30_000, slowRequestsPerAddress: 200 }

const checksPerRequest = 10
const slowestBytesPerSec = 1024
/** The most time for a body that isn't an upload, as a multiple of `requestMs`. */
const longestBody = 10

/** A request whose body is arriving. Counted in checks rather than by the clock: a stalled process stalls both. */
interface Arrival {
  request: FastifyRequest
  checks: number
  /** Since when the rate is measured. */
  windowChecks: number
  windowBytes: number
}

interface Connection {
  /** The last reply on it. */
  reply: ServerResponse | undefined
  arrival: Arrival | undefined
  bytesRead: number
  /** For how many checks its first request has been arriving without being complete up to its body. */
  headerChecks: number
  /** For how many checks nothing has come and nothing was being answered. */
  idleChecks: number
}

interface Watched {
  connection: Connection
  patience: Patience
}

type Verdict = 'fine' | 'idle' | 'late'

const isAnswering = ({ reply }: Connection): boolean =>
  reply !== undefined && !reply.writableFinished && !reply.destroyed

/** Uploads and forwarded streams may be large; only their rate counts. */
const isLarge = ({ routeOptions }: FastifyRequest): boolean =>
  ['upload', 'stream'].includes(routeOptions.config.accepts ?? '')

const takenOver = new WeakMap<Socket, IncomingMessage>()

/** For requests that Fastify never sees, such as web sockets: once they have arrived, what follows isn't ours. */
export const takeOverConnection = (request: IncomingMessage): void => {
  takenOver.set(request.socket, request)
}

export const watchConnections = (server: FastifyInstance, patience: Patience = usualPatience): void => {
  const open = new Map<Socket, Connection>()
  const everyMs = patience.requestMs / checksPerRequest
  server.server.keepAliveTimeout = 0
  server.server.on('connection', (socket: Socket) => {
    open.set(socket, { reply: undefined, arrival: undefined, bytesRead: 0, headerChecks: 0, idleChecks: 0 })
    socket.once('close', () => open.delete(socket))
  })
  server.addHook('onRequest', (request, reply, done) => {
    const connection = open.get(request.raw.socket)
    if (connection) {
      connection.reply = reply.raw
      connection.arrival = { request, checks: 0, windowChecks: 0, windowBytes: 0 }
    }
    done()
  })
  const checking = setInterval(() => checkAll(open, patience), everyMs).unref()
  server.addHook('preClose', async () => {
    clearInterval(checking)
    // Browsers and pools open connections in advance; Node takes them for busy ones and would wait a minute for them.
    for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
  })
}

const checkAll = (open: ReadonlyMap<Socket, Connection>, patience: Patience): void => {
  const slowPerAddress = new Map<string, number>()
  for (const [socket, connection] of open) {
    const verdict = check(socket, connection, patience)
    if (verdict === 'idle') socket.destroy()
    else if (verdict === 'late' || isOneTooMany(slowPerAddress, socket, { connection, patience }))
      cut(socket, connection)
  }
}

const check = (socket: Socket, connection: Connection, { idleMs, requestMs }: Patience): Verdict => {
  const bytes = socket.bytesRead - connection.bytesRead
  connection.bytesRead = socket.bytesRead
  const { arrival } = connection
  if (arrival && isArriving(arrival))
    return checkArrival(arrival, bytes, { isAnswered: !isAnswering(connection), requestMs })
  connection.arrival = undefined
  const hasBegun = connection.reply === undefined && socket.bytesRead > 0 && takenOver.get(socket)?.complete !== true
  connection.headerChecks = hasBegun ? connection.headerChecks + 1 : 0
  connection.idleChecks = bytes === 0 && !isAnswering(connection) ? connection.idleChecks + 1 : 0
  return connection.idleChecks > (idleMs / requestMs) * checksPerRequest ? 'idle' : 'fine'
}

const isArriving = ({ request: { raw } }: Arrival): boolean => !raw.complete && !raw.destroyed

const checkArrival = (
  arrival: Arrival,
  bytes: number,
  { isAnswered, requestMs }: { isAnswered: boolean; requestMs: number },
): Verdict => {
  arrival.checks += 1
  // The rest of a refused body is read only so that its sender gets to see why.
  if (isAnswered) return arrival.checks > checksPerRequest ? 'late' : 'fine'
  if (arrival.checks > checksPerRequest * longestBody && !isLarge(arrival.request)) return 'late'
  arrival.windowChecks += 1
  arrival.windowBytes += bytes
  const isOurs = arrival.request.raw.readableLength > 0
  if (arrival.windowChecks < checksPerRequest && !isOurs) return 'fine'
  const isSlow = !isOurs && arrival.windowBytes < (slowestBytesPerSec * requestMs) / 1000
  arrival.windowChecks = 0
  arrival.windowBytes = 0
  return isSlow ? 'late' : 'fine'
}

/** Counts requests that have been arriving for at least one whole interval, headers included. */
const isOneTooMany = (counts: Map<string, number>, socket: Socket, watched: Watched): boolean => {
  const { connection, patience } = watched
  const { arrival } = connection
  const isSlow = arrival ? arrival.checks > 1 : connection.headerChecks > 1
  if (!isSlow) return false
  const address = addressBucket(arrival?.request.ip ?? socket.remoteAddress ?? '')
  const count = (counts.get(address) ?? 0) + 1
  counts.set(address, count)
  return count > patience.slowRequestsPerAddress
}

const cut = (socket: Socket, { reply, arrival }: Connection): void => {
  if (reply && arrival && !reply.headersSent)
    refuseOnSocket(socket, new AppError('request_timeout'), arrival.request.id)
  else socket.destroy()
}
