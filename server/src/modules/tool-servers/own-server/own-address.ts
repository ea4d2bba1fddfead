/**
 * Decides if a request was meant for this server. A name that an attacker lets point here (DNS rebinding) arrives in
 * `Host`, and another site's page in `Origin`; a bearer token is no reason to answer either. Pure.
 */
import { isIP } from 'node:net'

/** Addresses and names without a dot can't be an attacker's: nobody can register them. */
const isLocalName = (name: string): boolean =>
  isIP(name.replace(/^\[|\]$/g, '')) !== 0 || !name.includes('.') || name.endsWith('.localhost')

export const isOwnHost = (host: string | undefined, externalUrl: string): boolean => {
  const name = host === undefined ? undefined : URL.parse(`http://${host}`)?.hostname
  return name !== undefined && (name === new URL(externalUrl).hostname || isLocalName(name))
}

/** Programs send no `Origin`; our own pages send ours. */
export const isOwnOrigin = (origin: string | undefined, host: string | undefined, externalUrl: string): boolean => {
  if (origin === undefined) return true
  const url = URL.parse(origin)
  return url !== null && (url.origin === new URL(externalUrl).origin || url.host === host)
}
