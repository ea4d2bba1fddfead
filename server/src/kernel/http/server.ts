/** Builds the HTTP server from declared routes. */

import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Blobs } from '../blobs/index.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { createDrain, type Drain } from '../drain.ts'
import { AppError } from '../errors.ts'
import type { Ids } from '../ids.ts'
import type { Limits } from '../limits/limits.ts'
import type { Log } from '../log.ts'
import { createRequestCounts, type Metrics } from '../metrics/index.ts'
import type { Quotas } from '../quotas/index.ts'
import type { Traces } from '../traces/traces.ts'
import type { AccessKind } from './access.ts'
import type { Authenticate } from './actor.ts'
import { acceptBodies } from './bodies/bodies.ts'
import { validatorCompiler } from './bodies/validation.ts'
import { type Patience, usualPatience, watchConnections } from './connections.ts'
import { createGate } from './gate/gate.ts'
import { createRequestQuotas } from './gate/request-quotas.ts'
import { mountRoutes } from './mount-routes.ts'
import { serveDocsPage } from './pages/api-docs.ts'
import { addSecurityHeaders, setSecurityHeaders } from './pages/security-headers.ts'
import { serveWebFiles } from './pages/web-files.ts'
import { refuseOnSocket, replyWithError } from './replies/error-reply.ts'
import { endWatching } from './replies/raw-reply.ts'
import { replySerializer } from './replies/reply-serializer.ts'
import { createRequestIds } from './request-ids.ts'
import type { Route } from './route.ts'

interface Options {
  config: Config
  log: Log
  ids: Ids
  clock?: Clock
  limits: Limits
  /** A server of tests may have none. */
  quotas?: Quotas
  /** Takes uploads; a server without upload routes needs none. */
  blobs?: Blobs
  authenticate: Authenticate
  routes: readonly Route[]
  /** The accesses that modules add. */
  accessKinds?: readonly AccessKind[]
  metrics?: Metrics
  traces?: Traces
  webDir: string
  externalUrl: string | undefined
  /** Hold every reply against its schema instead of only cutting it to it. */
  checksReplies?: boolean
  /** For how long a client may take nothing of what it is sent; tests have less time. */
  readerPatienceMs?: number | undefined
  /** The time that a stop waits for requests. */
  drain?: Drain
  /** When connections are closed; tests have less time. */
  patience?: Partial<Patience>
}

const mebibyte = 1024 * 1024

export const createHttpServer = async (options: Options): Promise<FastifyInstance> => {
  const { config, log, ids, limits, routes, clock = systemClock } = options
  const patience = { ...usualPatience, ...options.patience }
  const server = fastify({
    // Fastify's own logging costs a logger and two listeners per request; we log where there is something to log.
    logger: false,
    genReqId: createRequestIds(),
    requestIdHeader: false,
    bodyLimit: mebibyte,
    trustProxy: config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false,
    forceCloseConnections: 'idle',
    // What still comes on connections that are busy is work for a server that drains, not an error for its caller.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: (problem, request, reply) => refuseBadAddress(log, problem, { request, reply }),
    clientErrorHandler: (problem, socket) => refuseBrokenRequest(problem, socket, ids),
    http: { headersTimeout: 2 * patience.requestMs, connectionsCheckingInterval: patience.requestMs / 10 },
  })
  server.setValidatorCompiler(validatorCompiler as never)
  server.setSerializerCompiler(replySerializer({ isChecked: options.checksReplies === true || config.ENV === 'dev' }))
  server.setErrorHandler((problem, request, reply) => replyWithError(log, problem, { request, reply }))
  closeWhatIsLeft(server, options.drain ?? createDrain(patienceMs))
  addSecurityHeaders(server)
  watchConnections(server, patience)
  if (config.SVC_ACCESS_LOG) logRequests(server, log, 'info')
  else if (log.isLevelEnabled('debug')) logRequests(server, log, 'debug')
  acceptBodies(server)
  const gate = createGate({
    authenticate: options.authenticate,
    keyHeaders: [config.CUSTOM_API_KEY_HEADER.toLowerCase()],
    externalUrl: options.externalUrl,
    accessKinds: options.accessKinds ?? [],
  })
  const unknown = routes.find((route) => !gate.knows(route.access))
  if (unknown) throw new Error(`no module registers the access ${unknown.access}`)
  const counts = options.metrics && createRequestCounts(options.metrics)
  counts?.watch(server.server)
  const { blobs, readerPatienceMs, traces } = options
  const quotas = options.quotas && createRequestQuotas(options.quotas)
  server.after(() =>
    mountRoutes(server, routes, { gate, limits, quotas, config, clock, blobs, counts, readerPatienceMs, traces }),
  )
  if (config.ENV === 'dev') await serveDocsPage(server)
  serveWebFiles(server, { gate, webDir: options.webDir })
  return server
}

const patienceMs = 10_000
/** Calls that are cut off by the end of the drain still get to say so to their client. */
const lastWordsMs = 5_000

/**
 * A stream that ends after closing has begun leaves its connection idle, and nobody else would close it for a minute. A
 * request that does not end at all is cut off: its provider may think for as long as it likes.
 */
const closeWhatIsLeft = (server: FastifyInstance, drain: Drain): void => {
  server.addHook('preClose', (done) => {
    const http = server.server
    endWatching(http)
    const idle = setInterval(() => http.closeIdleConnections(), 100)
    const last = setTimeout(() => http.closeAllConnections(), drain.remainingMs() + lastWordsMs)
    http.once('close', () => {
      clearInterval(idle)
      clearTimeout(last)
    })
    done()
  })
}

/** Names the route, not the address: addresses of signing links and hooks hold secrets. */
const logRequests = (server: FastifyInstance, log: Log, level: 'info' | 'debug'): void => {
  server.addHook('onResponse', (request, reply, done) => {
    if (log.isLevelEnabled(level)) {
      const { id, method, ip, actor, span } = request
      const route = request.routeOptions.url ?? 'none'
      const facts = { id, method, route, status: reply.statusCode, actor: actor?.id, ip }
      // The turn of a socket may end the reply, and it knows nothing of the request.
      if (span) Object.assign(facts, { trace_id: span.context.traceId })
      log[level]({ ...facts, ms: Math.round(reply.elapsedTime) }, 'request')
    }
    done()
  })
}

/** An address that cannot be decoded: refused before any hook runs, so the headers are set here. */
const refuseBadAddress = (
  log: Log,
  problem: unknown,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): void => {
  setSecurityHeaders(exchange.request, exchange.reply)
  replyWithError(log, problem, exchange)
}

/** Bytes that are not HTTP, or headers that did not arrive in time. No request exists, so the reply is written by hand. */
const refuseBrokenRequest = (problem: NodeJS.ErrnoException, socket: Socket, ids: Ids): void => {
  const code = problem.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_request'
  refuseOnSocket(socket, new AppError(code), ids.next())
}
