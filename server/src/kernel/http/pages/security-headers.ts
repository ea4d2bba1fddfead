/**
 * The security headers of every answer. Nothing is cached (contract, "Reverse proxy") unless the route says otherwise,
 * as the web files do: an oddly spelled path must not slip past a list.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** An answer that is data, should a browser ever show it as a page. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

const pagePolicy = [
  "default-src 'self'",
  // blob: for code that plugins of administrators run in the page (contract, `execute`). Markup can't make such an
  // address, so an injected tag still runs nothing.
  "script-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  // Pages that plugins embed in a message. Their frames are sandboxed, and our own pages refuse to be framed.
  "frame-src 'self' https: http:",
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

/** No page of this server belongs in a search engine, least of all those that open without an account. */
export const notForSearchEngines = { 'x-robots-tag': 'noindex, nofollow, noarchive' } as const

/** For what a browser is meant to show. */
export const pageHeaders = {
  'content-security-policy': pagePolicy,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  ...notForSearchEngines,
} as const

/**
 * The page that shows HTML of plugins (contract, Plugin events, rule 3). `sandbox` gives it an origin of its own however
 * it is opened, so what it runs reaches no cookie, no storage and no API of ours. Its scripts run, which they could not
 * under the policy of the page around it.
 */
export const embedHeaders = {
  'content-security-policy': [
    'sandbox allow-scripts allow-popups allow-downloads',
    "default-src 'unsafe-inline' 'unsafe-eval' https: http: data: blob:",
    "frame-ancestors 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; '),
} as const

/**
 * The page that holds a frame with HTML that must reach no other server: a preview of code, or what a plugin embedded in
 * somebody else's chat. The frame inherits the policy and navigates nowhere, since this page allows it no address.
 * Browsers without `webrtc` need `isolated.html` and the trusted types for that; `connection-allowlist` also stops the
 * connection that Chromium opens before it refuses a navigation, once Chromium has it.
 */
export const isolatedHeaders = {
  'content-security-policy': [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    'media-src data: blob:',
    "frame-src 'none'",
    "frame-ancestors 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "webrtc 'block'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; '),
  'connection-allowlist': '()',
  'x-dns-prefetch-control': 'off',
} as const

/**
 * The page that runs code of a conversation in a worker. It gets everything it needs by message: neither the page nor its
 * worker can fetch, open a socket or load a script, from us or from anybody else.
 */
export const interpreterHeaders = {
  'content-security-policy': [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:",
    'worker-src blob:',
    "frame-ancestors 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; '),
} as const

export const addSecurityHeaders = (server: FastifyInstance): void => {
  server.addHook('onRequest', (request, reply, done) => {
    setSecurityHeaders(request, reply)
    done()
  })
}
