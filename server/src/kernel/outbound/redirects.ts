/** The next request after a redirect. Pure; the guard checks the new address again. */
import { Readable } from 'node:stream'
import { AppError } from '../errors.ts'
import { blocked } from './target.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

export type RequestBody = string | Uint8Array | Readable

export interface Hop {
  method: Method
  headers: Record<string, string>
  body: RequestBody | undefined
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

export const isRedirect = (status: number): boolean => redirectStatuses.has(status)

/**
 * The rules of the Fetch standard, and three of our own: no step back from https to http; no body to another origin,
 * since bodies carry credentials too; and of the headers only these few go there, for any other may be a key.
 */
const headersForOtherOrigins = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent'])
const bodyHeaders = new Set(['content-type', 'content-encoding', 'content-language', 'content-location'])

export const hopAfterRedirect = (status: number, from: URL, to: URL, hop: Hop): Hop => {
  if (from.protocol === 'https:' && to.protocol !== 'https:') throw blocked('The other server redirected to http.')
  const isOtherOrigin = from.origin !== to.origin
  const next = becomesGet(status, hop.method) ? withoutBody(hop) : hop
  if (next.body !== undefined) assertRepeatable(next.body, isOtherOrigin)
  return isOtherOrigin ? { ...next, headers: pick(next.headers, (name) => headersForOtherOrigins.has(name)) } : next
}

const becomesGet = (status: number, method: Method): boolean =>
  ((status === 301 || status === 302) && method === 'POST') || (status === 303 && method !== 'GET' && method !== 'HEAD')

const withoutBody = ({ headers }: Hop): Hop => ({
  method: 'GET',
  headers: pick(headers, (name) => !bodyHeaders.has(name)),
  body: undefined,
})

const assertRepeatable = (body: RequestBody, isOtherOrigin: boolean): void => {
  if (isOtherOrigin)
    throw new AppError('outbound_failed', { detail: 'The other server redirected a request with a body elsewhere.' })
  if (body instanceof Readable)
    throw new AppError('outbound_failed', { detail: 'The other server redirected a streamed request.' })
}

const pick = (headers: Record<string, string>, isKept: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)))
