/** The headers of a request as they leave: lower case, and without those that decide where or how it travels. */

/** Set by the connection alone. A caller's `Host` would reach another site on the checked address. */
const ownedByConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** True for a header that is never sent, though a caller sets it. */
export const isOwnedByConnection = (name: string): boolean => ownedByConnection.has(name.toLowerCase())

interface Options {
  /** An uncapped reply is a stream of events: compressing it would hold its events back. */
  isCapped: boolean
  /** Tells the other server of which trace the request is a part. */
  traceparent?: string | undefined
}

export const outgoingHeaders = (
  given: Record<string, string>,
  { isCapped, traceparent }: Options,
): Record<string, string> => {
  const headers: Record<string, string> = {
    accept: '*/*',
    'accept-encoding': isCapped ? 'gzip, br' : 'identity',
    'user-agent': 'Chancery',
    ...(traceparent !== undefined && { traceparent }),
  }
  for (const name of Object.keys(given)) {
    const lower = name.toLowerCase()
    if (!ownedByConnection.has(lower)) headers[lower] = given[name] as string
  }
  return headers
}
