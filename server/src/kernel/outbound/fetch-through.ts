/** One call, hop by hop: each hop is parsed, checked and sent on its own; only the last one's body is opened. */
import { Readable } from 'node:stream'
import type { Agent } from 'undici'
import { AppError } from '../errors.ts'
import { activeSpan, openSpan, type Span } from '../spans/span.ts'
import { formatTraceparent } from '../spans/trace-context.ts'
import { Exchange } from './exchange.ts'
import { Lifetime } from './lifetime.ts'
import { type Hop, hopAfterRedirect, isRedirect, type Method, type RequestBody } from './redirects.ts'
import { type OutboundReply, openReply, type RawReply } from './reply.ts'
import { outgoingHeaders } from './request-headers.ts'
import { parseTarget, type Target } from './target.ts'

export interface OutboundRequest {
  method?: Method
  /** `Host` and the headers of the connection itself are ignored. */
  headers?: Record<string, string>
  body?: RequestBody | undefined
  /** The exact `host:port` that an administrator configured for this call, see `hostPortOf`. Never from a user. */
  trusted?: string | undefined
  /** False accepts any certificate. Only where an administrator switched the check off. */
  verifyTls?: boolean | undefined
  /** Cap on the body, compressed and decompressed. Without it the reply may be endless. */
  maxBytes?: number | undefined
  maxRedirects?: number
  /** From the start of each hop, its upload included, to the headers of its reply. */
  firstByteMs?: number
  /** The longest silence within a body. */
  idleMs?: number
  /** From the call to the last byte; without it only silence ends a call. */
  totalMs?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Route {
  isNamed(hostPort: string): boolean
  agentFor(target: Target): Agent
}

export const fetchThrough = async (address: string, request: OutboundRequest, route: Route): Promise<OutboundReply> => {
  const {
    method = 'GET',
    headers = {},
    body,
    maxBytes,
    maxRedirects = 3,
    firstByteMs = 30_000,
    idleMs = 60_000,
  } = request
  const span = openSpan(method, 'client')
  const trace = span ?? activeSpan()
  const traceparent = trace && formatTraceparent(trace.context)
  let hop: Hop = { method, body, headers: outgoingHeaders(headers, { isCapped: maxBytes !== undefined, traceparent }) }
  const lifetime = new Lifetime({ signal: request.signal, firstByteMs, totalMs: request.totalMs })
  try {
    let target = parseTarget(address, route.isNamed)
    span?.set({ 'http.request.method': method, ...serverOf(target) })
    for (let redirects = 0; ; redirects++) {
      const raw = await send({ agent: route.agentFor(target), target, hop, lifetime, idleMs, maxBytes })
      const location = isRedirect(raw.status) ? raw.headers.location : undefined
      if (typeof location !== 'string') {
        span?.set({ 'http.response.status_code': raw.status })
        return openReply(raw, {
          maxBytes,
          explain: (problem) => lifetime.explain(problem),
          onClose: () => {
            lifetime.end()
            span?.end(raw.status >= 400 ? { problem: String(raw.status) } : {})
          },
        })
      }
      raw.body.close()
      if (redirects >= maxRedirects)
        throw new AppError('outbound_failed', { detail: 'The other server redirected too often.' })
      const { url } = target.address
      const next = parseTarget(URL.parse(location, url)?.href ?? '', route.isNamed)
      hop = hopAfterRedirect(raw.status, url, next.address.url, hop)
      target = next
    }
  } catch (problem) {
    lifetime.end()
    if (body instanceof Readable) body.destroy()
    const explained = lifetime.explain(problem)
    span?.end({ problem: explained })
    throw explained
  }
}

/** The host alone: paths and queries of webhooks and tools hold secrets. */
const serverOf = ({ address }: Target): Parameters<Span['set']>[0] => {
  const { hostname, port, protocol } = new URL(address.href)
  return { 'server.address': hostname, 'server.port': Number(port) || (protocol === 'https:' ? 443 : 80) }
}

interface Sending {
  agent: Agent
  target: Target
  hop: Hop
  lifetime: Lifetime
  idleMs: number
  maxBytes: number | undefined
}

const bodiless = new Set([204, 304])

const send = ({ agent, target, hop, lifetime, idleMs, maxBytes = Infinity }: Sending): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const { origin, path, href } = target.address
    const exchange = new Exchange({
      maxBytes,
      explain: (problem) => lifetime.explain(problem),
      onHead: ({ status, headers, body }) => {
        lifetime.firstByteCame()
        resolve({ status, headers, url: href, body, hasBody: hop.method !== 'HEAD' && !bodiless.has(status) })
      },
      onFailure: reject,
    })
    lifetime.beginHop((reason) => exchange.cut(reason))
    agent.dispatch(
      {
        origin,
        path,
        method: hop.method,
        headers: hop.headers,
        body: hop.body ?? null,
        headersTimeout: 0,
        bodyTimeout: idleMs,
      },
      exchange,
    )
  })
