/**
 * What every answer tells the browser. Nothing is cached (contract, "Reverse proxy") unless the
 * route says otherwise, as the web files do: an oddly spelled path must not slip past a list.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** An answer that is data, should a browser ever show it as a page. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

const pagePolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
].join('; ')

export const setSecurityHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.headers({
    'content-security-policy': dataPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-request-id': request.id,
    'cache-control': 'no-store',
  })
}

/** For what a browser is meant to show. */
export const pageHeaders = {
  'content-security-policy': pagePolicy,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
} as const

export const addSecurityHeaders = (server: FastifyInstance): void => {
  server.addHook('onRequest', (request, reply, done) => {
    setSecurityHeaders(request, reply)
    done()
  })
}
