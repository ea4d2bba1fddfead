/** Cookie-borne writes must prove that our own pages sent them. */
import type { IncomingHttpHeaders } from 'node:http'

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/** `host` is the address the browser used, `externalUrl` the configured one (a proxy may rewrite Host). */
export const isSameOriginWrite = (
  method: string,
  headers: IncomingHttpHeaders,
  externalUrl: string | undefined,
): boolean => {
  if (reads.has(method)) return true
  const origin = headers.origin
  if (origin === undefined) return headers['sec-fetch-site'] === 'same-origin'
  if (!URL.canParse(origin)) return false
  if (externalUrl !== undefined && new URL(externalUrl).origin === origin) return true
  return new URL(origin).host === headers.host
}
