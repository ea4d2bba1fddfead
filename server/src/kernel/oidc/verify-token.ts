/** ID tokens, checked once more and completely with our own clock, algorithms and exactness. */
import { type JWTPayload, jwtVerify } from 'jose'
import type { Clock } from '../clock.ts'
import { type Discovered, mostSkewSec } from './discovery.ts'
import { asOidcError, OidcError } from './oidc-error.ts'

/** Signatures by the provider's own key. `none` and the HMAC family, which our secret could forge, are not among them. */
export const algorithms = ['RS256', 'PS256', 'ES256']

export interface IdClaims extends JWTPayload {
  iss: string
  sub: string
}

interface Expected {
  clientId: string
  nonce: string
  /** Client ids whose tokens may sign in here; their own id is always among the audiences we accept. */
  allowedParties: readonly string[]
}

export const verifyIdToken = async (
  { clock }: { clock: Clock },
  { keys, issuer }: Discovered,
  { token, expected }: { token: string; expected: Expected },
): Promise<IdClaims> => {
  const options = { algorithms, clockTolerance: mostSkewSec, currentDate: clock.now(), audience: expected.clientId }
  let claims: JWTPayload
  try {
    claims = (await jwtVerify(token, keys, { ...options, requiredClaims: ['iss', 'sub', 'exp', 'iat'] })).payload
  } catch (problem) {
    throw asOidcError(problem)
  }
  assertClaims(claims, { ...expected, issuer, now: clock.now() })
  return claims as IdClaims
}

const refuse = (why: string): never => {
  throw new OidcError('refused', why)
}

/** Pure. Signature, expiry and our own audience have been checked by then. */
export const assertClaims = (claims: JWTPayload, expected: Expected & { issuer: string; now: Date }): void => {
  const { clientId, nonce, allowedParties, issuer, now } = expected
  if (claims.iss !== issuer) refuse('the token is of another issuer')
  if (typeof claims.sub !== 'string' || claims.sub === '' || claims.sub.length > 255) refuse('the token names nobody')
  if (claims.nonce !== nonce) refuse('the token belongs to another login')
  if (claims.typ === 'Bearer') refuse('this is an access token')
  if ((claims.iat ?? Number.POSITIVE_INFINITY) > now.getTime() / 1000 + mostSkewSec)
    refuse('the token is from the future')
  const audiences = [claims.aud ?? []].flat()
  const isKnown = (party: unknown) => party === clientId || allowedParties.some((allowed) => allowed === party)
  if (!audiences.includes(clientId) || !audiences.every(isKnown)) refuse('the token is meant for somebody else too')
  if (claims.azp === undefined ? audiences.length !== 1 : !allowedParties.some((allowed) => allowed === claims.azp))
    refuse('the token was issued to another client')
}
