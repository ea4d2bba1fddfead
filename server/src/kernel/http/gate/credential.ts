/** Finds the credential in a request: Bearer first, then the key header, then the browser's cookie. */
import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie } from 'cookie'

export const tokenCookie = 'token'

export interface Presented {
  token: string
  /** A cookie travels by itself, so writes with it need proof of the same origin. */
  via: 'bearer' | 'keyHeader' | 'cookie'
}

const bearer = /^Bearer +([^\s]+)$/i

/**
 * The first carrier that is present decides; a bad Bearer never falls back to a good cookie.
 * Another scheme in `Authorization` (a proxy's Basic) is not ours and is ignored.
 */
export const presentedCredential = (
  headers: IncomingHttpHeaders,
  keyHeaders: readonly string[] = [],
): Presented | undefined => {
  const authorization = headers.authorization
  if (authorization !== undefined && /^Bearer\b/i.test(authorization))
    return { token: bearer.exec(authorization)?.[1] ?? '', via: 'bearer' }
  for (const name of keyHeaders) {
    const value = headers[name]
    if (typeof value === 'string' && value.startsWith('sk-')) return { token: value, via: 'keyHeader' }
  }
  const cookie = headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[tokenCookie]
  return cookie ? { token: cookie, via: 'cookie' } : undefined
}
