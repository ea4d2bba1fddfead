/** `fetch` as the OpenID libraries expect it, through the one door to other servers. */
import { requireFewParts } from '../json/parse-foreign.ts'
import type { Outbound } from '../outbound/index.ts'

interface Options {
  outbound: Outbound
  /** The exact `host:port` that an administrator configured: only this one may be private. */
  trusted: string | undefined
  maxBytes?: number
}

interface Init {
  method?: string
  headers?: Headers | Record<string, string>
  body?: unknown
  signal?: AbortSignal
}

const mebibyte = 1024 * 1024

/** Redirects are not followed: none of these endpoints has a reason to send one, and it could point anywhere. */
export const guardedFetch =
  ({ outbound, trusted, maxBytes = mebibyte }: Options) =>
  async (url: string, { method = 'GET', headers = {}, body, signal }: Init): Promise<Response> => {
    const reply = await outbound.fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      body: body === undefined || body === null ? undefined : String(body),
      trusted,
      signal,
      maxBytes,
      maxRedirects: 0,
      firstByteMs: 8000,
      totalMs: 15_000,
    })
    const bytes = await reply.bytes()
    requireFewParts(bytes.toString('latin1'))
    const hasBody = reply.status !== 204 && reply.status !== 304
    return new Response(hasBody ? new Uint8Array(bytes) : null, {
      status: reply.status,
      headers: new Headers([...reply.headers].filter(([name]) => name !== 'content-encoding')),
    })
  }
