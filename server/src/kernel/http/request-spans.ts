/** The span of a request: the beginning of a trace, or a part of the caller's where a trusted proxy says so. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { inSpan, type Span } from '../spans/span.ts'
import { parseTraceparent } from '../spans/trace-context.ts'
import type { Traces } from '../traces/traces.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined while traces are off. */
    span: Span | undefined
  }
}

type Authorize = (request: FastifyRequest, reply: FastifyReply, done: (problem?: Error) => void) => void

/**
 * A stranger's `traceparent` decides nothing, neither which traces are recorded nor under which id: it becomes a link.
 * That of a trusted proxy, which is expected to set or drop it like `X-Forwarded-For`, is the parent.
 */
const beginFor = (traces: Traces, route: { method: string; path: string }, request: FastifyRequest) => {
  const told = parseTraceparent(request.headers.traceparent as string | undefined)
  const isTrusted = (request.ips?.length ?? 0) > 1
  const span = traces.begin(`${route.method} ${route.path}`, { kind: 'server', parent: isTrusted ? told : undefined })
  span?.set({ 'http.request.method': request.method, 'http.route': route.path, 'chancery.request.id': request.id })
  if (told && !isTrusted) span?.link(told)
  return span
}

/** The same hook where traces are off. */
export const inRequestSpan = (
  traces: Traces | undefined,
  route: { method: string; path: string },
  authorize: Authorize,
): Authorize => {
  if (!traces?.isOn) return authorize
  return (request, reply, done) => {
    const span = beginFor(traces, route, request)
    request.span = span
    reply.raw.once('close', () => {
      const { statusCode: status, writableFinished } = reply.raw
      span?.set({ 'http.response.status_code': status })
      const failure = status >= 500 ? String(status) : writableFinished ? undefined : 'client_left'
      span?.end({ problem: failure })
    })
    inSpan(span, () => authorize(request, reply, done))
  }
}
