/** Passkeys belong to a domain and to the pages of one origin there: those of SVC_URL. */
import { isIP } from 'node:net'
import { AppError } from '#kernel/errors.ts'

export interface RelyingParty {
  id: string
  origin: string
}

const findRelyingParty = (externalUrl: string): RelyingParty | undefined => {
  const { hostname, origin } = new URL(externalUrl)
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  return isAddress ? undefined : { id: hostname, origin }
}

export const canHavePasskeys = (externalUrl: string): boolean => findRelyingParty(externalUrl) !== undefined

export const relyingParty = (externalUrl: string): RelyingParty => {
  const party = findRelyingParty(externalUrl)
  if (!party) throw new AppError('passkeys_unavailable')
  return party
}
