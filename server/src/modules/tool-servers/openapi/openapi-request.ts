/** One call of an OpenAPI operation as a request. An argument can't leave its place, nor a path its server. Pure. */

import { encodedHeader } from '../remote/request-headers.ts'
import { type SentBody, textOf, writeBody } from './openapi-body.ts'
import type { Operation } from './openapi-operations.ts'

export interface PreparedRequest {
  method: Operation['method']
  url: string
  headers: Record<string, string>
  body: SentBody | undefined
}

interface Asked {
  args: Record<string, unknown>
  /** Of a multipart body. */
  boundary: string
}

/** In the path an argument is one segment, in the query one value, in a header one line. Throws for a path that leads elsewhere. */
export const prepareRequest = (base: string, operation: Operation, { args, boundary }: Asked): PreparedRequest => {
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  const rest = { ...args }
  let { path } = operation
  for (const { name, in: where } of operation.arguments) {
    const value = args[name]
    delete rest[name]
    if (value === undefined || value === null) continue
    const values = (Array.isArray(value) ? value : [value]).map(textOf)
    if (where === 'path') path = path.replaceAll(`{${name}}`, () => segment(values.join(',')))
    else if (where === 'header') headers[name.toLowerCase()] = encodedHeader(values.join(','))
    else for (const one of values) query.append(name, one)
  }
  return {
    method: operation.method,
    url: addressOf(base, path, query),
    headers,
    body: operation.body && writeBody(operation.body, rest, boundary),
  }
}

/** Put together from parts, and looked at afterwards: text alone could run into the host's name. */
const addressOf = (base: string, path: string, query: URLSearchParams): string => {
  const url = new URL(base)
  const { origin } = url
  const root = url.pathname.replace(/\/+$/, '')
  const [pathname = '', fixed = ''] = path.split('?', 2)
  url.pathname = `${root}/${pathname.replace(/^[/\\]+/, '')}`
  for (const [name, value] of [...new URLSearchParams(fixed), ...query]) url.searchParams.append(name, value)
  url.hash = ''
  if (url.origin === origin && url.pathname.startsWith(`${root}/`)) return url.href
  throw new Error('its description leads outside of its own address.')
}

/** Two dots would be read as "one up" even when they are encoded. */
const segment = (text: string): string => encodeURIComponent(text).replace(/^\.{1,2}$/, '')
