/** Login tokens made by hand, good and bad. */
import { createHmac } from 'node:crypto'
import { testSecrets } from './secrets.ts'

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url')
const decode = (part = ''): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString())

export const headerOf = (token: string) => decode(token.split('.')[0])
export const claimsOf = (token: string) => decode(token.split('.')[1])

interface Forgery {
  header?: Record<string, unknown>
  claims: Record<string, unknown>
  secret?: string
  hash?: string
}

/** Signed as the server would, but for what is given. */
export const forge = ({ header = {}, claims, secret = testSecrets.JWT_SECRET, hash = 'sha256' }: Forgery): string => {
  const input = `${encode({ alg: 'HS256', typ: 'JWT', ...header })}.${encode(claims)}`
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`
}

/** The same claims under another algorithm's name, without any signature. */
export const unsigned = (claims: Record<string, unknown>, alg = 'none'): string =>
  `${encode({ alg, typ: 'JWT' })}.${encode(claims)}.`
