/**
 * Refuses requests whose body doesn't arrive, for which Node.js has no rule that fits. It closes unused connections and
 * those whose headers don't arrive by itself (`keepAliveTimeout` and `headersTimeout`, set where the server is created).
 *
 * - Bodies: at least a kilobyte a second, measured over `requestMs`, so that an upload may take as long as it needs.
 *   Other bodies must also be complete within ten times that. Only the sender's slowness counts, not ours.
 * - Per address: so many slow bodies at once, so that a single client cannot hold thousands of connections.
 *
 * Clients that do not read their reply are cut by `raw-reply.ts`.
 */
import type { ServerResponse } from 'node:http'
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
  reply: ServerResponse
  bytesRead: number
  checks: number
  /** Since when the rate is measured. */
  windowChecks: number
  windowBytes: number
}

/** Uploads and forwarded streams may be large; only their rate counts. */
const isLarge = ({ routeOptions }: FastifyRequest): boolean =>
  ['upload', 'stream'].includes(routeOptions.config.accepts ?? '')

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

export const watchBodies = (server: FastifyInstance, patience: Patience): void => {
  const open = new Map<Socket, Arrival | undefined>()
  server.server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  server.addHook('onRequest', (request, { raw: reply }, done) => {
    const { socket } = request.raw
    if (hasBody(request) && open.has(socket))
      open.set(socket, { request, reply, bytesRead: socket.bytesRead, checks: 0, windowChecks: 0, windowBytes: 0 })
    done()
  })
  const checking = setInterval(() => checkAll(open, patience), patience.requestMs / checksPerRequest).unref()
  server.addHook('preClose', async () => {
    clearInterval(checking)
    // Browsers and pools open connections in advance; Node takes them for busy ones and would wait a minute for them.
    for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
  })
}

const checkAll = (open: Map<Socket, Arrival | undefined>, patience: Patience): void => {
  const slowPerAddress = new Map<string, number>()
  for (const [socket, arrival] of open) {
    if (!arrival) continue
    const { complete, destroyed } = arrival.request.raw
    if (complete || destroyed) open.set(socket, undefined)
    else if (isLate(arrival, patience.requestMs) || isOneTooMany(slowPerAddress, arrival, patience)) cut(arrival)
  }
}

const isLate = (arrival: Arrival, requestMs: number): boolean => {
  const { request, reply } = arrival
  const { bytesRead } = request.raw.socket
  const bytes = bytesRead - arrival.bytesRead
  arrival.bytesRead = bytesRead
  arrival.checks += 1
  // The rest of a refused body is read only so that its sender gets to see why.
  if (reply.writableFinished || reply.destroyed) return arrival.checks > checksPerRequest
  if (arrival.checks > checksPerRequest * longestBody && !isLarge(request)) return true
  arrival.windowChecks += 1
  arrival.windowBytes += bytes
  const isOurs = request.raw.readableLength > 0
  if (arrival.windowChecks < checksPerRequest && !isOurs) return false
  const isSlow = !isOurs && arrival.windowBytes < (slowestBytesPerSec * requestMs) / 1000
  arrival.windowChecks = 0
  arrival.windowBytes = 0
  return isSlow
}

/** Counts bodies that have been arriving for at least one whole interval. */
const isOneTooMany = (counts: Map<string, number>, { request, checks }: Arrival, patience: Patience): boolean => {
  if (checks <= 1) return false
  const address = addressBucket(request.ip)
  const count = (counts.get(address) ?? 0) + 1
  counts.set(address, count)
  return count > patience.slowRequestsPerAddress
}

const cut = ({ request, reply }: Arrival): void => {
  const { socket } = request.raw
  if (reply.headersSent) socket.destroy()
  else refuseOnSocket(socket, new AppError('request_timeout'), request.id)
}
